/** The rows of this domain's tables, as the query builder sees them. */
export interface EventTables {
  rowlock_issues: IssueRow
  rowlock_samples: SampleRow
  rowlock_hours: HourRow
  rowlock_rejected: RejectedRow
}

export interface IssueRow {
  id: string
  project: number
  fingerprint: string
  fingerprint_version: number
  source: string
  level: string
  title: string
  state: string
  generation: number
  resolved_at: number | null
  snoozed_until: number | null
  first_seen: number
  last_seen: number
  count: number
  won_count: number
  claimed_at: number | null
  expires_at: number | null
  token: number | null
  holder: string | null
  classification: string | null
  external_id: string | null
}

export interface SampleRow {
  issue: string
  slot: number
  event_id: string
  at: number
  event: string
}

export interface HourRow {
  issue: string
  hour: number
  count: number
}

export interface RejectedRow {
  number: number
  project: number
  event: string
  reason: string
  at: number
}
