/** The rows this domain reads, as the query builder sees them. */
export interface DeliveryTables {
  rowlock_destinations: DestinationsRow
  rowlock_destination_settings: DestinationSettingsRow
  rowlock_outbox: OutboxRow
  rowlock_outbox_destinations: { destination: string; disabled_at: number; reason: string | null }
}

export interface DestinationsRow {
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

export interface DestinationSettingsRow {
  destination: string
  name: string | null
  about: string | null
  /** A JSON array of texts. */
  tags: string
  /** A JSON object whose fields the kind knows. */
  settings: string
}

/** A destination with its settings; they are null where it has none. */
export type DestinationRow = DestinationsRow & {
  [Column in keyof Omit<DestinationSettingsRow, 'destination'>]: DestinationSettingsRow[Column] | null
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
