import type { Statement } from '@rowlock/core'
import { sweepStatements } from './events/statements/sweep.ts'
import { pingStatements } from './fleet/statements/pings.ts'
import type { Hub } from './hub.ts'

/** Ids of events are remembered for a day: within it a repeated one counts once. */
const SEEN_MS = 24 * 60 * 60_000
const SEEN_MOST = 1_000_000
const STEP = 1_000
/** Steps of one kind and one call: what is left waits for the next. */
const STEPS = 20

/** How many rows of each kind were removed. */
export type Swept = Readonly<
  Record<'seen' | 'rejected' | 'hours' | 'deliveries' | 'sessions' | 'pings' | 'checks' | 'downtimes', number>
>

/** Removes what has been kept long enough, in small steps, and stops as soon as events are waiting. */
export async function sweep(hub: Hub): Promise<Swept> {
  const { ground, config, outbox } = hub
  const statements = sweepStatements(ground.driver.dialect)
  const pings = pingStatements(ground.driver.dialect)
  const now = ground.now()
  const busy = () => hub.events.waiting > 0
  const inSteps = async (statement: Statement): Promise<number> => {
    let removed = 0
    for (let step = 0; step < STEPS && !busy(); step++) {
      const { length } = await ground.driver.execute(statement)
      removed += length
      if (length < STEP) break
    }
    return removed
  }
  const kept = { now, step: STEP }
  const sent = await outbox.sweep({ retention: config.keepDeliveries })
  return {
    seen: await inSteps(statements.seen.with({ ...kept, retention: SEEN_MS, most: SEEN_MOST })),
    rejected: await inSteps(statements.rejected.with({ ...kept, retention: config.keepRejected })),
    hours: await inSteps(statements.hours.with({ ...kept, retention: config.keepHours })),
    deliveries: sent.ok ? sent.removed : 0,
    sessions: await hub.sessions.sweep(),
    pings: await inSteps(pings.sweep.with({ ...kept, retention: config.keepPings })),
    ...(await sweepFleet(hub, busy)),
  }
}

/** Records of checks, and outages that are over, of each project, also of one whose devices are all gone. */
async function sweepFleet(hub: Hub, busy: () => boolean): Promise<Pick<Swept, 'checks' | 'downtimes'>> {
  const { keepChecks: checks, keepDowntimes: history } = hub.config
  const removed = { checks: 0, downtimes: 0 }
  for (const { id } of await hub.projects.list()) {
    if (busy()) break
    const swept = await hub.fleet.watch.of(id).sweep({ checks, history })
    if (!swept.ok) throw swept.cause
    removed.checks += swept.removed.checks
    removed.downtimes += swept.removed.downtimes
  }
  return removed
}
