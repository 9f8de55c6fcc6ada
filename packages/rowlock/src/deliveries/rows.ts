/** The rows this domain reads, as the query builder sees them. */
export interface DeliveryTables {
  rowlock_destinations: DestinationRow
  rowlock_outbox: OutboxRow
  rowlock_outbox_destinations: { destination: string; disabled_at: number; reason: string | null }
}

export interface DestinationRow {
  id: string
  project: number
  kind: string
  url: string
  secret: string
  enabled: number
  disabled_reason: string | null
  created_at: number
  removed_at: number | null
}

/** The outbox belongs to the library; here it is only read. */
export interface OutboxRow {
  id: number
  topic: string
  destination: string
  dedup_key: string
  payload: string
  not_before: number
  state: string
  attempts: number
  last_error: string | null
  created_at: number
  finished_at: number | null
}
