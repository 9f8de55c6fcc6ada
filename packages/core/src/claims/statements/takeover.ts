import type { Dialect } from '../../port/dialect.ts'
import { join, type Sql, sql } from '../../port/sql.ts'
import type { ClaimTable } from '../table.ts'
import { now, ttl } from './conditions.ts'

/**
 * What a re-win writes to a row that is there. Nothing else of the row is touched.
 *
 * The clock is read here again, and only once: `excluded` was computed before the statement waited
 * for the row, and three readings could fall into two milliseconds.
 *
 * The token ends up above both the old token and `claimed_at`. So it never falls, and a first win's
 * token is told from a later one's by being equal to `claimed_at`.
 */
export function takeover(dialect: Dialect, table: ClaimTable, brought: Brought): Sql {
  const { claimedAt, expiresAt, token, holder, state, result, fingerprint } = table.columns
  if (expiresAt === null) return join([sql`${claimedAt!} = ${now(dialect)}`, ...refreshed(table)])
  const former = sql`coalesce(${table.row}.${token!}, 0)`
  const parts = [
    sql`(${claimedAt!}, ${expiresAt}, ${token!}) = (select c.at, c.at + ${ttl}, ${dialect.greater(former, sql`c.at`)} + 1 from (select ${now(dialect)} as at) c)`,
    sql`${holder!} = ${brought.holder}`,
  ]
  if (state !== null) parts.push(sql`${state} = 'held'`)
  if (result !== null) parts.push(sql`${result} = null`)
  if (fingerprint !== null) parts.push(sql`${fingerprint} = ${brought.fingerprint}`)
  return join([...parts, ...(brought.refresh ? refreshed(table) : [])])
}

/** Where the winner's own values come from, and whether the user's columns are refreshed too. */
export interface Brought {
  readonly holder: Sql
  readonly fingerprint: Sql
  readonly refresh: boolean
}

function refreshed(table: ClaimTable): Sql[] {
  return table.onWin.map(({ column, value }) => sql`${column} = ${value}`)
}
