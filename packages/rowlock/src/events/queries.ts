import { sql } from 'kysely'
import type { Reader } from '../reading.ts'

/** Reads of issues and of what is kept about their events. */

export interface IssueFilter {
  readonly project: number | null
  readonly state?: string | undefined
  readonly source?: string | undefined
  readonly level?: string | undefined
  /** A part of the title, upper and lower case alike. */
  readonly q?: string | undefined
  /** The last row of the page before. */
  readonly after?: { readonly lastSeen: number; readonly id: string } | undefined
}

export const issueColumns = [
  'id',
  'project',
  'fingerprint',
  'fingerprint_version',
  'source',
  'level',
  'title',
  'state',
  'generation',
  'resolved_at',
  'snoozed_until',
  'first_seen',
  'last_seen',
  'count',
  'won_count',
  'claimed_at',
  'expires_at',
  'token',
  'holder',
  'classification',
  'external_id',
] as const

/** Issues, those seen last first. */
export function issues({ rows, from }: Reader, filter: IssueFilter, limit: number) {
  const { project, state, source, level, q, after } = filter
  let query = from
    .selectFrom('rowlock_issues')
    .select(issueColumns)
    .orderBy('last_seen', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (project !== null) query = query.where('project', '=', project)
  if (state !== undefined) query = query.where('state', '=', state)
  if (source !== undefined) query = query.where('source', '=', source)
  if (level !== undefined) query = query.where('level', '=', level)
  // Not LIKE: D1 takes patterns of at most 50 bytes, and %, _ would have to be escaped.
  if (q !== undefined)
    query = query.where(sql<boolean>`replace(lower(title), lower(${q}), '') <> lower(title)`)
  if (after !== undefined) {
    const { lastSeen, id } = after
    query = query.where(({ or, and, eb }) =>
      or([eb('last_seen', '<', lastSeen), and([eb('last_seen', '=', lastSeen), eb('id', '<', id)])]),
    )
  }
  return rows('issues.list', query)
}

export const issueById = ({ row, from }: Reader, id: string) =>
  row('issues.byId', from.selectFrom('rowlock_issues').select(issueColumns).where('id', '=', id))

/** The events that were kept, the latest first. */
export const samplesOf = ({ rows, from }: Reader, issue: string) =>
  rows(
    'samples.of',
    from
      .selectFrom('rowlock_samples')
      .select(['slot', 'event_id', 'at', 'event'])
      .where('issue', '=', issue)
      .orderBy('at', 'desc')
      .orderBy('slot')
      .limit(50),
  )

/** Hourly counts, the latest first. */
export const hoursOf = ({ rows, from }: Reader, issue: string) =>
  rows(
    'hours.of',
    from
      .selectFrom('rowlock_hours')
      .select(['hour', 'count'])
      .where('issue', '=', issue)
      .orderBy('hour', 'desc')
      .limit(7 * 24),
  )

/** Events that the database would not take, the latest first. */
export function rejectedEvents(
  { rows, from }: Reader,
  project: number | null,
  before: number | undefined,
  limit: number,
) {
  let query = from.selectFrom('rowlock_rejected').selectAll().orderBy('number', 'desc').limit(limit)
  if (project !== null) query = query.where('project', '=', project)
  if (before !== undefined) query = query.where('number', '<', before)
  return rows('rejected.list', query)
}
