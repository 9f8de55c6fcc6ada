import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import type { Driver } from '@rowlock/core'
import { sqlite } from '@rowlock/core/sqlite'
import { readConfig } from '../src/config/index.ts'
import type { Mail, MailReply } from '../src/deliveries/mail.ts'
import type { Post, Reply } from '../src/deliveries/send.ts'
import { createApp } from '../src/http/app.ts'
import { createHub, type Hub } from '../src/hub.ts'
import type { Project } from '../src/identity/projects.ts'

/** 2027-01-15T08:00:00Z. */
export const START = 1_800_000_000_000
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

export interface TestHub {
  readonly hub: Hub
  readonly app: ReturnType<typeof createApp>
  readonly database: DatabaseSync
  readonly project: Project
  readonly adminToken: string
  /** The clock of the process and of the statements. */
  now: number
  /** What was posted to destinations, and what they answer. */
  readonly posts: Post[]
  reply: (post: Post) => Reply | Promise<Reply>
  readonly letters: Mail[]
  mailReply: (mail: Mail) => MailReply | Promise<MailReply>
  readonly problems: string[]
}

export interface TestHubOptions {
  readonly flags?: Record<string, unknown>
  /** Puts something between the hub and the database. */
  readonly around?: (driver: Driver) => Driver
  readonly grouped?: boolean
}

/** A hub in memory whose clock stands still until the test moves it. */
export async function openHub({
  flags = {},
  around,
  grouped = false,
}: TestHubOptions = {}): Promise<TestHub> {
  const { config } = readConfig({ flags: { window: '1h', ...flags } })
  const database = new DatabaseSync(':memory:')
  const plain = sqlite(database)
  const driver = around?.(plain) ?? plain
  const here = {
    now: START,
    posts: [] as Post[],
    reply: (() => ({ status: 200, retryAfter: null })) as TestHub['reply'],
    letters: [] as Mail[],
    mailReply: (() => ({ code: 250, text: '250 Ok' })) as TestHub['mailReply'],
    problems: [] as string[],
  }
  const hub = createHub({
    driver,
    config,
    clock: () => here.now,
    later: grouped ? setImmediate : undefined,
    async send(post) {
      here.posts.push(post)
      return await here.reply(post)
    },
    async mail(letter) {
      here.letters.push(letter)
      return await here.mailReply(letter)
    },
    onProblem(problem, cause) {
      here.problems.push(cause instanceof Error ? `${problem}: ${cause.message}` : problem)
    },
  })
  const { project, firstToken } = await hub.install()
  assert.ok(firstToken)
  const app = createApp({ hub, driver, config })
  return Object.assign(here, { hub, app, database, project, adminToken: firstToken.secret })
}

export interface JsonAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

/** Sends events with the project's ingest key. */
export async function send(
  test: TestHub,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<JsonAnswer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await test.app.request('/api/events', {
    method: 'POST',
    headers: { authorization: `Bearer ${test.project.ingestKey}`, ...headers },
    body: text,
  })
  return await answerOf(response)
}

/** Asks the API, with the admin token unless another is given; null for none. */
export async function ask(
  test: TestHub,
  request: string,
  body?: unknown,
  token: string | null = test.adminToken,
): Promise<JsonAnswer> {
  const [method = 'GET', path = '/'] = request.split(' ')
  const response = await test.app.request(path, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return await answerOf(response)
}

async function answerOf(response: Response): Promise<JsonAnswer> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}

/** The rows of a question to the database itself. */
export function rows(test: TestHub, sql: string): Record<string, unknown>[] {
  return test.database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }))
}
