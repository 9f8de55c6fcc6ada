import type { Reader } from '../../reading.ts'
import type { Span } from './spans.ts'

/** Reads of outages, of checks, and of times in which nobody looked. */

export interface DowntimeFilter {
  readonly project: number | null
  readonly device?: string | undefined
  readonly open?: boolean | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly after?: { readonly at: number; readonly id: string } | undefined
}

const downtimeColumns = [
  'id',
  'subject_id',
  'scope',
  'label',
  'started_at',
  'detected_at',
  'ended_at',
  'duration_ms',
  'cause',
  'reason',
  'end_reason',
  'episode_id',
  'suppressed_by',
] as const

/** Outages, those that were found last first. */
export function downtimeRows({ rows, from }: Reader, filter: DowntimeFilter, limit: number) {
  const { project, device, open, after } = filter
  let query = from
    .selectFrom('rowlock_downtimes')
    .select(downtimeColumns)
    .orderBy('detected_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (project !== null) query = query.where('scope', '=', String(project))
  if (device !== undefined) query = query.where('subject_id', '=', device)
  if (open !== undefined) query = query.where('ended_at', open ? 'is' : 'is not', null)
  const { from: begin, to: end } = filter
  if (begin !== undefined)
    query = query.where(({ or, eb }) => or([eb('ended_at', 'is', null), eb('ended_at', '>', begin)]))
  if (end !== undefined) query = query.where('started_at', '<', end)
  if (after !== undefined) {
    const { at, id } = after
    query = query.where(({ or, and, eb }) =>
      or([eb('detected_at', '<', at), and([eb('detected_at', '=', at), eb('id', '<', id)])]),
    )
  }
  return rows('downtimes.list', query)
}

const checkColumns = [
  'run',
  'scope',
  'at',
  'checked',
  'newly_down',
  'recovered',
  'opened',
  'closed',
  'alerts_queued',
  'raced',
  'suppressed',
  'repaired',
  'verdict',
] as const

/** Records of checks, newest first. */
export function checkRows(
  { rows, from }: Reader,
  project: number | null,
  after: DowntimeFilter['after'],
  limit: number,
) {
  let query = from
    .selectFrom('rowlock_checks')
    .select(checkColumns)
    .orderBy('at', 'desc')
    .orderBy('run', 'desc')
    .limit(limit)
  if (project !== null) query = query.where('scope', '=', String(project))
  if (after !== undefined) {
    const { at, id } = after
    query = query.where(({ or, and, eb }) =>
      or([eb('at', '<', at), and([eb('at', '=', at), eb('run', '<', id)])]),
    )
  }
  return rows('checks.list', query)
}

/** Outages that touch a span, of the devices from the first to the last id. */
export const outagesWithin = (
  { rows, from }: Reader,
  project: number,
  ids: readonly [first: string, last: string],
  span: Span,
) =>
  rows(
    'downtimes.within',
    from
      .selectFrom('rowlock_downtimes')
      .select(['subject_id', 'started_at', 'ended_at'])
      .where('scope', '=', String(project))
      .where('subject_id', '>=', ids[0])
      .where('subject_id', '<=', ids[1])
      .where('started_at', '<', span.to)
      .where(({ or, eb }) => or([eb('ended_at', 'is', null), eb('ended_at', '>', span.from)])),
  )

/** Times in which nobody looked, or a device was paused, that touch a span. */
export const blindRows = ({ rows, from }: Reader, project: number, span: Span) =>
  rows(
    'blind.within',
    from
      .selectFrom('rowlock_blind')
      .select(['subject_id', 'from_at', 'to_at'])
      .where('scope', '=', String(project))
      .where('from_at', '<', span.to)
      .where('to_at', '>', span.from),
  )
