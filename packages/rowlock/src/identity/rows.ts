/** The rows of this domain's tables, as the query builder sees them. */
export interface IdentityTables {
  rowlock_projects: ProjectRow
  rowlock_tokens: TokenRow
}

export interface ProjectRow {
  id: number
  name: string
  ingest_key: string
  window_ms: number
  created_at: number
}

export interface TokenRow {
  id: number
  name: string
  hash: string
  scopes: string
  project: number | null
  created_at: number
  revoked_at: number | null
}
