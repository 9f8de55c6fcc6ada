import { Hono } from 'hono'
import { splitBody } from '../../events/body.ts'
import { readText } from '../../http/body.ts'
import { authorizeIntake, type Door } from '../../http/credentials.ts'
import { Refusal } from '../../http/refusal.ts'
import { truthFromQuery } from '../query.ts'
import { type BeatAnswer, refusedBeat } from './beats.ts'

const headers = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/**
 * POST /api/beats: one object, an array or lines of `{ device, at? }`, with the project's ingest key or a token that may
 * send. `?create=1` makes devices that are not known.
 */
export function beatRoutes(door: Door): Hono {
  const { hub } = door
  const routes = new Hono()

  routes.post('/api/beats', async (context) => {
    const project = await authorizeIntake(context, door)
    const body = await readText(context.req.raw, hub.config.maxBody)
    const { single, items } = splitBody(body, context.req.header('content-type') ?? '')
    const good = items.flatMap((item) => ('event' in item ? [item.event] : []))
    const create = truthFromQuery(context, 'create') ?? false
    const taken = await hub.fleet.beats.take(project.id, good, { create })
    let next = 0
    const answers = items.map((item) =>
      'event' in item
        ? (taken.items[next++] as BeatAnswer)
        : refusedBeat('INVALID_INPUT', `the line is not JSON (${item.broken})`),
    )
    const [only] = answers
    if (single && only?.ok === false) throw asRefusal(only.error)
    return new Response(JSON.stringify(single ? only : summary(answers, taken.created)), { headers })
  })

  return routes
}

function asRefusal({ code, message, field }: Extract<BeatAnswer, { ok: false }>['error']): Refusal {
  const details = field === undefined ? {} : { field }
  return new Refusal(code === 'NOT_FOUND' ? 404 : 400, code, message, { details })
}

function summary(items: readonly BeatAnswer[], created: number): object {
  const accepted = items.filter(({ ok }) => ok).length
  const closed = items.filter((item) => item.ok && item.closed !== null).length
  return { accepted, rejected: items.length - accepted, created, closed, items }
}
