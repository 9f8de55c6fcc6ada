import { Hono } from 'hono'
import type { Hub } from '../hub.ts'
import { type Gauge, prometheusText } from '../metrics.ts'
import type { Door } from './credentials.ts'

/** A delivery that has been due for longer means that nobody delivers. */
const OVERDUE_MS = 5 * 60_000
/** Events that have been waiting for longer mean that nothing is committed. */
const STUCK_MS = 30_000

interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

/** /healthz: the process answers. /readyz: it also does its work. /metrics: in figures. */
export function healthRoutes({ hub }: Door): Hono {
  const routes = new Hono()
  routes.get('/healthz', (context) => context.json({ status: 'ok' }))
  routes.get('/readyz', async (context) => {
    const checks = await ready(hub)
    const ok = checks.every((check) => check.ok)
    return context.json({ status: ok ? 'ok' : 'stuck', checks }, ok ? 200 : 503)
  })
  routes.get('/metrics', async (context) => {
    const text = prometheusText(hub.metrics, await gauges(hub))
    return context.body(text, 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
  })
  return routes
}

async function ready(hub: Hub): Promise<readonly Check[]> {
  const now = hub.ground.clock()
  const waitedMs = now - (hub.events.waitingSince ?? now)
  const group = {
    name: 'events',
    ok: waitedMs <= STUCK_MS,
    detail: `the oldest waiting event has waited ${waitedMs} ms`,
  }
  try {
    const overdueMs = now - ((await hub.deliveries.oldestDueAt()) ?? now)
    const detail = `the oldest due delivery has waited ${overdueMs} ms`
    return [
      { name: 'database', ok: true, detail: 'it answers' },
      group,
      { name: 'deliveries', ok: overdueMs <= OVERDUE_MS, detail },
      { name: 'checks', ...(await hub.fleet.health.ready()) },
    ]
  } catch (error) {
    hub.onProblem('the database does not answer', error)
    return [{ name: 'database', ok: false, detail: 'it does not answer' }, group]
  }
}

async function gauges(hub: Hub): Promise<readonly Gauge[]> {
  const now = hub.ground.clock()
  const counts = await hub.deliveries.counts()
  const overdueMs = now - ((await hub.deliveries.oldestDueAt()) ?? now)
  return [
    { name: 'events_waiting', help: 'Events that wait for the database.', value: hub.events.waiting },
    ...['pending', 'leased', 'dead'].map((state) => ({
      name: 'deliveries',
      help: 'Deliveries by state.',
      value: counts[state] ?? 0,
      labels: { state },
    })),
    {
      name: 'delivery_overdue_seconds',
      help: 'How long the oldest due delivery has been due.',
      value: overdueMs / 1000,
    },
    ...(await hub.fleet.health.gauges()),
  ]
}
