import { InvalidInputError } from '@rowlock/core'
import type { Downtime } from '@rowlock/core/liveness'
import { wholeNumber } from '@rowlock/core/module'
import { decodeCursor, encodeCursor } from '../../cursor.ts'
import type { Ground } from '../../ground.ts'
import type { CheckRow, DowntimeRow } from '../rows.ts'
import { checkRows, type DowntimeFilter, downtimeRows } from './queries.ts'

/** An outage of one device. Instants are ms since 1970. */
export interface Outage {
  readonly id: string
  readonly project: number
  readonly device: string
  readonly name: string | null
  readonly startedAt: number
  readonly detectedAt: number
  /** Null while it lasts. */
  readonly endedAt: number | null
  readonly durationMs: number | null
  readonly cause: Downtime['cause']
  readonly reason: string | null
  readonly endReason: string | null
  readonly episode: string
  /** Why nobody was told; null where somebody was. */
  readonly suppressedBy: string | null
}

/** What one check of one project wrote down. */
export interface CheckRecord {
  readonly run: string
  readonly project: number
  readonly checkedAt: number
  readonly checked: number
  readonly newlyDown: number
  readonly recovered: number
  readonly opened: number
  readonly closed: number
  readonly alertsQueued: number
  readonly raced: number
  readonly suppressed: number
  readonly repaired: number
  readonly verdict: string
}

export interface HistoryQuery {
  readonly project?: number | null
  readonly device?: string | undefined
  readonly open?: boolean | undefined
  /** Those that touch this span, ms since 1970. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly cursor?: string | undefined
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined
}

export interface History {
  /** Those that were found last first. */
  downtimes(
    query?: HistoryQuery,
  ): Promise<{ readonly downtimes: readonly Outage[]; readonly next: string | null }>
  /** Newest first. */
  checks(
    query?: Pick<HistoryQuery, 'project' | 'cursor' | 'limit'>,
  ): Promise<{ readonly checks: readonly CheckRecord[]; readonly next: string | null }>
}

export function createHistory({ reader }: Ground): History {
  return {
    async downtimes(query = {}) {
      const limit = wholeNumber('limit', query.limit ?? 50, 1, 200)
      const { project = null, device, open, from, to } = query
      if (from !== undefined && to !== undefined && from > to)
        throw new InvalidInputError('from', 'is after `to`', 'a span of time')
      const filter: DowntimeFilter = { project, device, open, from, to, after: after(query.cursor) }
      const rows = await downtimeRows(reader, filter, limit + 1)
      const page = rows.slice(0, limit).map(outage)
      const last = page.at(-1)
      return {
        downtimes: page,
        next: rows.length > limit && last ? encodeCursor([last.detectedAt, last.id]) : null,
      }
    },
    async checks(query = {}) {
      const limit = wholeNumber('limit', query.limit ?? 50, 1, 200)
      const rows = await checkRows(reader, query.project ?? null, after(query.cursor), limit + 1)
      const page = rows.slice(0, limit).map(checkRecord)
      const last = page.at(-1)
      return {
        checks: page,
        next: rows.length > limit && last ? encodeCursor([last.checkedAt, last.run]) : null,
      }
    },
  }
}

function after(cursor: string | undefined): { at: number; id: string } | undefined {
  if (cursor === undefined) return undefined
  const [at, id] = decodeCursor(cursor, ['number', 'string'])
  return { at: at as number, id: id as string }
}

function outage(row: DowntimeRow): Outage {
  return {
    id: row.id,
    project: Number(row.scope),
    device: row.subject_id,
    name: row.label,
    startedAt: row.started_at,
    detectedAt: row.detected_at,
    endedAt: row.ended_at,
    durationMs: row.duration_ms,
    cause: row.cause as Downtime['cause'],
    reason: row.reason,
    endReason: row.end_reason,
    episode: row.episode_id,
    suppressedBy: row.suppressed_by,
  }
}

function checkRecord(row: CheckRow): CheckRecord {
  return {
    run: row.run,
    project: Number(row.scope),
    checkedAt: row.at,
    checked: row.checked,
    newlyDown: row.newly_down,
    recovered: row.recovered,
    opened: row.opened,
    closed: row.closed,
    alertsQueued: row.alerts_queued,
    raced: row.raced,
    suppressed: row.suppressed,
    repaired: row.repaired,
    verdict: row.verdict,
  }
}
