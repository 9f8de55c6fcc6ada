import { InvalidInputError } from '@rowlock/core'
import { describe, wholeNumber } from '@rowlock/core/module'
import type { Ground } from '../../ground.ts'
import type { Devices } from '../device/devices.ts'
import { readTimezone } from '../device/schedule.ts'
import type { Device } from '../types.ts'
import { type CalendarSpan, type CalendarUnit, lastSpans } from './calendar.ts'
import { blindRows, outagesWithin } from './queries.ts'
import { type Spent, spentIn } from './spans.ts'

/** How one device spent each day or month. */
export interface DeviceUptime {
  readonly device: string
  readonly name: string | null
  /** In the order of `periods`. */
  readonly periods: readonly Spent[]
  readonly total: Spent
}

export interface UptimePage {
  readonly by: CalendarUnit
  readonly timezone: string
  /** Oldest first; the last one is not over. */
  readonly periods: readonly { readonly name: string; readonly startsAt: number; readonly endsAt: number }[]
  readonly devices: readonly DeviceUptime[]
  readonly next: string | null
}

export interface UptimeQuery {
  readonly project: number
  /** Default `day`. */
  readonly by?: string | undefined
  /** Default UTC. */
  readonly tz?: string | undefined
  /** How many days or months, this one included; default 30 days, 12 months. */
  readonly count?: number | undefined
  readonly device?: string | undefined
  readonly tag?: string | undefined
  readonly cursor?: string | undefined
  /** Devices of a page, 1 to 100; default 50. */
  readonly limit?: number | undefined
}

export interface Uptimes {
  of(query: UptimeQuery): Promise<UptimePage>
}

const COUNTS: Readonly<Record<CalendarUnit, readonly [usual: number, most: number]>> = {
  day: [30, 400],
  month: [12, 60],
}

export function createUptimes(
  { reader, clock }: Ground,
  { devices }: { readonly devices: Devices },
): Uptimes {
  const pageOf = async ({ project, device, tag, cursor, limit }: UptimeQuery) => {
    if (device !== undefined) return { devices: [await devices.get(project, device)], next: null }
    return await devices.list({ project, tag, cursor, limit: wholeNumber('limit', limit ?? 50, 1, 100) })
  }
  return {
    async of(query) {
      const by = unitOf(query.by ?? 'day')
      const timezone = readTimezone(query.tz ?? 'UTC', 'tz')
      const [usual, most] = COUNTS[by]
      const now = clock()
      const spans = lastSpans(by, {
        count: wholeNumber('count', query.count ?? usual, 1, most),
        now,
        timezone,
      })
      const page = await pageOf(query)
      const told = await spentBy(reader, query.project, page.devices, spans, now)
      return {
        by,
        timezone,
        periods: spans.map(({ name, from, to }) => ({ name, startsAt: from, endsAt: to })),
        devices: told,
        next: page.next,
      }
    },
  }
}

async function spentBy(
  reader: Ground['reader'],
  project: number,
  devices: readonly Device[],
  spans: readonly CalendarSpan[],
  now: number,
): Promise<readonly DeviceUptime[]> {
  if (devices.length === 0) return []
  const whole = { from: (spans[0] as CalendarSpan).from, to: (spans.at(-1) as CalendarSpan).to }
  const ids = [(devices[0] as Device).id, (devices.at(-1) as Device).id] as const
  const [outages, blind] = await Promise.all([
    outagesWithin(reader, project, ids, whole),
    blindRows(reader, project, whole),
  ])
  return devices.map((device) => {
    const down = outages
      .filter((row) => row.subject_id === device.id)
      .map(({ started_at, ended_at }) => ({ from: started_at, to: ended_at ?? now }))
    const unseen = [
      ...blind
        .filter((row) => row.subject_id === null || row.subject_id === device.id)
        .map(({ from_at, to_at }) => ({ from: from_at, to: to_at ?? now })),
      { from: 0, to: device.createdAt },
      ...(device.state === 'paused' ? [{ from: device.stateChangedAt, to: now }] : []),
      // Who was never heard is not up.
      ...(device.state === 'new' ? [{ from: 0, to: now }] : []),
    ]
    return {
      device: device.id,
      name: device.name,
      periods: spans.map((span) => spentIn(span, { down, unseen, now })),
      total: spentIn(whole, { down, unseen, now }),
    }
  })
}

function unitOf(by: string): CalendarUnit {
  if (by === 'day' || by === 'month') return by
  throw new InvalidInputError('by', `is ${describe(by)}`, 'day, month')
}
