import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { ask, type TestHub } from '../hub.ts'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Body
}

/** What the chats are sent, as far as a test looks at it. */
export interface Body {
  readonly text: string
  readonly blocks: readonly { readonly text: { readonly text: string; readonly verbatim: boolean } }[]
  readonly parse: string
  readonly link_names: boolean
  readonly unfurl_links: boolean
  readonly allowed_mentions: unknown
  readonly embeds: readonly {
    readonly title: string
    readonly fields: readonly { readonly name: string; readonly value: string }[]
  }[]
  readonly event_action: string
  readonly dedup_key: string
  readonly payload: { readonly summary: string; readonly severity: string }
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** What it answers next: a status, and headers. */
  answer: (request: Received) => readonly [status: number, headers?: Record<string, string>]
}

/** A server of this machine in place of Slack, Discord or PagerDuty. */
export async function receiver(context: TestContext, status = 200): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const one = { path: String(request.url), headers: request.headers, body: JSON.parse(text) as Body }
    received.push(one)
    response.writeHead(...(here.answer(one) as [number])).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const here: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: () => [status],
  }
  return here
}

/** Adds a destination and gives its id. */
export async function destination(here: TestHub, fields: Record<string, unknown>): Promise<string> {
  const { status, body } = await ask(here, 'POST /api/destinations', { project: 1, ...fields })
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return String(body.id)
}

let written = 0

/** Puts a notice about a device on its way, as the checks do. */
export async function notify(
  here: TestHub,
  to: string,
  { topic = 'subject.down', ...changes }: { topic?: string } & Record<string, unknown> = {},
): Promise<void> {
  const payload = {
    scope: '1',
    subject: 'tv-17',
    label: 'Lobby',
    tags: ['floor-3'],
    downtime: 'd1',
    cause: 'silent',
    reason: null,
    startedAt: here.now - 6 * 60_000,
    detectedAt: here.now,
    endedAt: null,
    durationMs: null,
    episode: 'd1',
    ...changes,
  }
  written += 1
  const orderingKey = `1:${payload.subject}:${to}`
  await here.hub.outbox.enqueue([
    { topic, destination: to, dedupKey: `${topic}:${written}:${to}`, orderingKey, payload },
  ])
}
