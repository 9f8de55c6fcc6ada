import { type Context, Hono } from 'hono'
import { json, numberFromQuery, projectFilter } from '../../http/answer.ts'
import { authorize, type Door } from '../../http/credentials.ts'
import { projectOf } from '../project.ts'
import { instantFromQuery, truthFromQuery, wordFromQuery } from '../query.ts'
import { csvLine } from './csv.ts'
import type { HistoryQuery, Outage } from './history.ts'

/** /api/downtimes, /api/uptime, /api/checks, and POST /api/check. */
export function historyRoutes(door: Door): Hono {
  const { hub } = door
  const { fleet } = hub
  const routes = new Hono()

  const readQuery = async (context: Context): Promise<HistoryQuery> => {
    const identity = await authorize(context, door, 'read')
    const { device, cursor } = context.req.query()
    return {
      project: await projectFilter(context, hub, identity),
      device,
      cursor,
      open: truthFromQuery(context, 'open'),
      from: instantFromQuery(context, 'from'),
      to: instantFromQuery(context, 'to'),
      limit: numberFromQuery(context, 'limit'),
    }
  }

  routes.get('/api/downtimes', async (context) => {
    const query = await readQuery(context)
    const named = wordFromQuery(context, 'format', ['json', 'csv'])
    const wanted = named === undefined && /\btext\/csv\b/i.test(context.req.header('accept') ?? '')
    if (named !== 'csv' && !wanted) return json(context, await fleet.history.downtimes(query))
    return new Response(
      outagesAsCsv((cursor) => fleet.history.downtimes({ ...query, cursor, limit: 200 }), named === 'csv'),
      {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          ...(named === 'csv' ? { 'content-disposition': 'attachment; filename="downtimes.csv"' } : {}),
        },
      },
    )
  })

  routes.get('/api/uptime', async (context) => {
    const identity = await authorize(context, door, 'read')
    const project = await projectOf(context, hub, identity)
    const { by, tz, device, tag, cursor } = context.req.query()
    const count = numberFromQuery(context, 'count')
    const limit = numberFromQuery(context, 'limit')
    return json(context, await fleet.uptime.of({ project, by, tz, device, tag, cursor, count, limit }))
  })

  routes.get('/api/checks', async (context) => {
    const identity = await authorize(context, door, 'read')
    const project = await projectFilter(context, hub, identity)
    const { cursor } = context.req.query()
    const limit = numberFromQuery(context, 'limit')
    return json(context, await fleet.history.checks({ project, cursor, limit }))
  })

  routes.post('/api/check', async (context) => {
    const identity = await authorize(context, door, 'write')
    const checks = await fleet.checker.check(await projectFilter(context, hub, identity))
    return json(context, { checks })
  })

  return routes
}

type Page = Awaited<ReturnType<Door['hub']['fleet']['history']['downtimes']>>

/** All pages one after another, as they are read. The mark tells spreadsheets that it is UTF-8. */
function outagesAsCsv(
  read: (cursor: string | undefined) => Promise<Page>,
  marked: boolean,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let cursor: string | undefined
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode((marked ? '\uFEFF' : '') + csvLine(COLUMNS)))
    },
    async pull(controller) {
      const { downtimes, next } = await read(cursor)
      if (downtimes.length > 0) controller.enqueue(encoder.encode(downtimes.map(line).join('')))
      cursor = next ?? undefined
      if (next === null) controller.close()
    },
  })
}

const COLUMNS = [
  'project',
  'device',
  'name',
  'started',
  'detected',
  'ended',
  'seconds',
  'cause',
  'reason',
  'end_reason',
  'suppressed_by',
  'id',
]

function line(outage: Outage): string {
  const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  const { startedAt, detectedAt, endedAt, durationMs } = outage
  return csvLine([
    outage.project,
    outage.device,
    outage.name,
    iso(startedAt),
    iso(detectedAt),
    iso(endedAt),
    durationMs === null ? null : durationMs / 1_000,
    outage.cause,
    outage.reason,
    outage.endReason,
    outage.suppressedBy,
    outage.id,
  ])
}
