import { Hono } from 'hono'
import { type Item, splitBody } from '../events/body.ts'
import { refused } from '../events/intake.ts'
import type { Answer, Refused } from '../events/types.ts'
import type { Project } from '../identity/projects.ts'
import { readText } from './body.ts'
import { authorizeIntake, type Door } from './credentials.ts'
import { Refusal, tooMany } from './refusal.ts'

/** Any page may send events: what opens the door is the key, never a cookie. */
const cors = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after',
}
const jsonHeaders = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff', ...cors }
const preflightHeaders = {
  ...cors,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '86400',
}

const SHED_WAIT_MS = 2_000
/** Bodies that are being worked on may take this much together, or their senders wait. */
const MOST_HELD_BYTES = 64 * 1024 * 1024

/**
 * POST /api/events. Mounted in front of everything else: it is the one route that has to be fast.
 * It answers its own errors, so that senders in a browser may read them.
 */
export function intakeRoutes(door: Door): Hono {
  const { hub } = door
  const routes = new Hono()
  let held = 0
  routes.options('/api/events', () => new Response(null, { status: 204, headers: preflightHeaders }))
  routes.post('/api/events', async (context) => {
    try {
      if (hub.events.waiting >= hub.config.maxQueue || held >= MOST_HELD_BYTES) {
        hub.metrics.add('events_shed_total', 1)
        throw tooMany('more events are waiting than the database can take', SHED_WAIT_MS)
      }
      const project = await authorizeIntake(context, door)
      const body = await readText(context.req.raw, hub.config.maxBody)
      held += body.length
      try {
        const { single, items } = splitBody(body, context.req.header('content-type') ?? '')
        return respond(single, await answersTo(project, items))
      } finally {
        held -= body.length
      }
    } catch (error) {
      return door.fail(context, error, cors)
    }
  })

  const answersTo = async (project: Project, items: readonly Item[]): Promise<readonly Answer[]> => {
    const good = items.filter((item) => 'event' in item)
    const answers = await hub.events.accept(
      project,
      good.map(({ event }) => event),
    )
    if (good.length === items.length) return answers
    let next = 0
    return items.map((item) => ('event' in item ? (answers[next++] as Answer) : brokenLine(item.broken)))
  }

  return routes
}

function brokenLine(reason: string): Refused {
  return refused('INVALID_INPUT', `the line is not JSON (${reason})`)
}

function respond(single: boolean, answers: readonly Answer[]): Response {
  const [only] = answers
  if (single && only !== undefined) {
    if (!only.accepted) throw asRefusal(only)
    return new Response(JSON.stringify(only), { headers: jsonHeaders })
  }
  const accepted = answers.filter((answer) => answer.accepted)
  const summary = {
    accepted: accepted.length,
    duplicates: accepted.filter(({ duplicate }) => duplicate).length,
    rejected: answers.length - accepted.length,
    won: accepted.filter(({ won }) => won).length,
    items: answers,
  }
  return new Response(JSON.stringify(summary), { headers: jsonHeaders })
}

function asRefusal({ error: { code, message, field } }: Refused): Refusal {
  const details = field === undefined ? {} : { field }
  return new Refusal(code === 'INVALID_INPUT' ? 400 : 422, code, message, { details })
}
