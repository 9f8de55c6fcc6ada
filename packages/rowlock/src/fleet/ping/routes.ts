import { type Context, Hono } from 'hono'
import type { Door } from '../../http/credentials.ts'
import { createAttempts } from '../../identity/attempts.ts'
import { KEPT_BYTES, readPingBody } from './body.ts'
import type { PingAnswer } from './pings.ts'
import { readSignal, type Signal } from './signal.ts'

const headers = {
  'content-type': 'text/plain; charset=utf-8',
  'access-control-allow-origin': '*',
  'cache-control': 'no-store',
  'ping-body-limit': String(KEPT_BYTES),
  'x-content-type-options': 'nosniff',
}

/** Bodies that are being read may take this much together, or their senders wait. */
const MOST_HELD_BYTES = 64 * 1024 * 1024
const WAIT_S = 2

/**
 * /ping/<uuid> and /ping/<key>/<slug>: for anything that can open an address. No token is asked for, the address is
 * the secret; answers are short texts. Mounted in front, as the intake is.
 */
export function pingRoutes(door: Door): Hono {
  const { hub } = door
  const routes = new Hono()
  const wrongKeys = createAttempts()
  let underWay = 0

  const take = async (context: Context): Promise<PingAnswer> => {
    const signal = readSignal(new URL(context.req.url).pathname, context.req.query())
    if ('status' in signal) return signal
    const guesses = guessing(context, signal)
    if (guesses > 0) return { status: 429, text: 'too many wrong keys', retryAfterMs: guesses }
    const read = await readPingBody(context.req.raw, hub.config.maxBody)
    if (read === 'broken') return { status: 400, text: 'the body ended early' }
    if (read === 'too large') return { status: 413, text: `larger than ${hub.config.maxBody} bytes` }
    const remote = door.address(context)
    const agent = context.req.header('user-agent') ?? null
    const answer = await hub.fleet.pings.take(signal, {
      method: context.req.raw.method,
      remote: remote === 'unknown' ? null : remote.slice(0, 100),
      agent: agent === null ? null : agent.slice(0, 200).toWellFormed(),
      body: read.body,
    })
    if (answer.wrongKey === true) wrongKeys.failed(remote, hub.ground.clock())
    return answer
  }

  const guessing = (context: Context, { target }: Signal): number => {
    if ('uuid' in target || hub.fleet.pingKeys.recall(target.key) !== undefined) return 0
    return wrongKeys.waitMs(door.address(context), hub.ground.clock())
  }

  const answer = async (context: Context): Promise<Response> => {
    if (underWay >= Math.min(hub.config.maxQueue, MOST_HELD_BYTES / KEPT_BYTES)) {
      return respond({ status: 429, text: 'too many pings at once', retryAfterMs: WAIT_S * 1_000 })
    }
    underWay += 1
    try {
      return respond(await take(context))
    } catch (error) {
      return door.fail(context, error, { 'access-control-allow-origin': '*' })
    } finally {
      underWay -= 1
    }
  }

  routes.get('/ping/*', answer)
  routes.post('/ping/*', answer)
  return routes
}

function respond({ status, text, retryAfterMs }: PingAnswer): Response {
  const retry = retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) }
  return new Response(text, { status, headers: { ...headers, ...retry } })
}
