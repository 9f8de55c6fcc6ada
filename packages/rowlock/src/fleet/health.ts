import type { Ground } from '../ground.ts'
import type { Gauge } from '../metrics.ts'
import type { Checker } from './checker.ts'
import { lastTicks, openDowntimes, subjectCounts } from './queries.ts'

/** How the fleet is, for /readyz and /metrics. */
export interface FleetHealth {
  /** How long ago the project was checked whose last check is the oldest, by any node; 0 where nothing is watched. */
  checkAgeMs(): Promise<number>
  /** Whether that is too long ago, and why. */
  ready(): Promise<{ readonly ok: boolean; readonly detail: string }>
  gauges(): Promise<readonly Gauge[]>
}

/** So many checks may fail before somebody is called, and never sooner than after five minutes. */
const MISSED = 5
const SOONEST_MS = 5 * 60_000

export function createFleetHealth(
  { reader, clock }: Ground,
  { checker, everyMs }: { checker: Checker; everyMs: number },
): FleetHealth {
  const checkAgeMs = async () => {
    const now = clock()
    const rows = await lastTicks(reader)
    // A project without devices is not checked; a new one waits since it has some.
    const ages = rows.map(({ last_tick, created_at }) =>
      created_at === null ? 0 : now - Math.max(last_tick ?? created_at, created_at),
    )
    return Math.max(0, ...ages)
  }
  return {
    checkAgeMs,
    async ready() {
      const ageMs = await checkAgeMs()
      const failing = checker.failure === undefined ? '' : '; the last one failed'
      const ok = ageMs <= Math.max(SOONEST_MS, MISSED * everyMs)
      return { ok, detail: `the devices were checked ${ageMs} ms ago${failing}` }
    },
    async gauges() {
      const [counts, open, ageMs] = [
        await subjectCounts(reader),
        await openDowntimes(reader),
        await checkAgeMs(),
      ]
      return [
        ...counts.map(({ scope, state, count }) => ({
          name: 'devices',
          help: 'Devices by state and project.',
          value: Number(count),
          labels: { state, project: scope },
        })),
        ...open.map(({ scope, count }) => ({
          name: 'downtimes_open',
          help: 'Outages that last, by project.',
          value: Number(count),
          labels: { project: scope },
        })),
        { name: 'check_age_seconds', help: 'How long ago the devices were checked.', value: ageMs / 1_000 },
      ]
    },
  }
}
