/** The rows of this domain's tables, as the query builder sees them. */
export interface FleetTables {
  rowlock_devices: DeviceRow
  rowlock_pings: PingRow
  rowlock_ping_keys: { project: number; hash: string; created_at: number }
  rowlock_subjects: SubjectRow
  rowlock_downtimes: DowntimeRow
  rowlock_checks: CheckRow
  rowlock_checker: { scope: string; last_tick: number }
  rowlock_blind: BlindRow
}

export interface DeviceRow {
  project: number
  id: string
  uuid: string
  slug: string | null
  description: string | null
  period_ms: number
  grace_ms: number
  schedule: string | null
  timezone: string | null
  manual_resume: number
  post_only: number
  version: number
  pings: number
  started_at: number | null
  started_rid: string | null
  last_duration_ms: number | null
  created_at: number
}

export interface PingRow {
  project: number
  device: string
  slot: number
  n: number
  kind: string
  rid: string | null
  exit_status: number | null
  duration_ms: number | null
  method: string
  remote: string | null
  agent: string | null
  body: string | null
  received_at: number
}

/** The library's tables of subjects, outages and checks; here they are only read. */
export interface SubjectRow {
  scope: string
  id: string
  state: string
  deleted_at: number | null
}

export interface DowntimeRow {
  id: string
  subject_id: string
  scope: string
  label: string | null
  started_at: number
  detected_at: number
  ended_at: number | null
  duration_ms: number | null
  cause: string
  reason: string | null
  end_reason: string | null
  episode_id: string
  suppressed_by: string | null
}

export interface CheckRow {
  run: string
  scope: string
  at: number
  checked: number
  newly_down: number
  recovered: number
  opened: number
  closed: number
  alerts_queued: number
  raced: number
  suppressed: number
  repaired: number
  verdict: string
}

/** A time in which nobody looked, or one device was paused. */
export interface BlindRow {
  scope: string
  subject_id: string | null
  from_at: number
  to_at: number | null
}
