import { d1 } from '@rowlock/core/d1'
import type { Context } from 'hono'
import { readConfig } from './config/index.ts'
import { createApp } from './http/app.ts'
import { createHub, type Hub } from './hub.ts'
import { sweep } from './retention.ts'

/** What the Worker is bound to: a D1 database, and the same variables that a hub on Node reads. */
export interface WorkerEnvironment {
  readonly DB: Parameters<typeof d1>[0]
  /** The admin token of a new hub, `rowlock_` and 43 characters of base64url: `wrangler secret put ROWLOCK_ADMIN_TOKEN`. */
  readonly ROWLOCK_ADMIN_TOKEN?: string
  readonly [variable: string]: unknown
}

interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void
}

/** The clock that calls `scheduled` knows no shorter distance. */
const TRIGGER_MS = 60_000

/** Rounds of deliveries of one event: what is left waits for the next minute. */
const ROUNDS = 10

/** Of one database, kept for the life of the isolate: data only. Nothing that is awaited is shared between requests. */
interface Opened {
  readonly hub: Hub
  readonly app: ReturnType<typeof createApp>
  readonly state: {
    installed: boolean
    /** There is something to deliver: taken by whichever request ends first. */
    hasWork: boolean
  }
}

const opened = new WeakMap<object, Opened>()

function open(environment: WorkerEnvironment): Opened {
  const known = opened.get(environment.DB)
  if (known !== undefined) return known
  const variables = Object.entries(environment).filter(isText)
  const { config: given } = readConfig({ environment: Object.fromEntries(variables) })
  // Where checks were expected more often than they are made, every one would take itself for one that overslept.
  const config = { ...given, checkEvery: Math.max(given.checkEvery, TRIGGER_MS) }
  const driver = d1(environment.DB)
  const state = { installed: false, hasWork: false }
  const hub = createHub({
    driver,
    config,
    onWork: () => {
      state.hasWork = true
    },
    onProblem: (problem, cause) => console.error(problem, cause ?? ''),
  })
  const made = { hub, state, app: createApp({ hub, driver, config, address: connectingAddress }) }
  opened.set(environment.DB, made)
  return made
}

async function install({ hub, state }: Opened, environment: WorkerEnvironment): Promise<void> {
  if (state.installed) return
  await hub.install({ firstToken: environment.ROWLOCK_ADMIN_TOKEN ?? null })
  state.installed = true
}

async function deliver({ hub }: Opened): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) if ((await hub.courier.round()) === 0) return
}

function connectingAddress(context: Context): string {
  return context.req.header('cf-connecting-ip') ?? 'unknown'
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string'
}

export default {
  async fetch(
    request: Request,
    environment: WorkerEnvironment,
    context: ExecutionContext,
  ): Promise<Response> {
    const here = open(environment)
    await install(here, environment)
    const response = await here.app.fetch(request, environment)
    if (here.state.hasWork) {
      here.state.hasWork = false
      context.waitUntil(deliver(here))
    }
    return response
  },

  /** Every minute: looks for devices that fell silent, delivers what is due, removes what is old. */
  async scheduled(_event: unknown, environment: WorkerEnvironment): Promise<void> {
    const here = open(environment)
    await install(here, environment)
    await here.hub.fleet.checker.tick()
    await deliver(here)
    await sweep(here.hub)
  },
}
