import { type Dialect, instant } from '../../port/dialect.ts'
import { raw, type Sql, slot, sql } from '../../port/sql.ts'
import type { ClaimTable } from '../table.ts'

/** The words that the statements share. `row` is the qualifier of the columns, the table's own name by default. */

/** The instant that judges, read anew wherever it stands. */
export function now(dialect: Dialect): Sql {
  return instant(dialect, slot('now'))
}

/** The window's length in ms. */
export const ttl: Sql = sql`cast(${slot('ttl')} as bigint)`

/** The row's window is over. The edge itself is still held. */
export function over(dialect: Dialect, table: ClaimTable, row: Sql = table.row): Sql {
  const { claimedAt, expiresAt } = table.columns
  return expiresAt === null
    ? sql`${row}.${claimedAt!} < ${now(dialect)} - ${ttl}`
    : sql`${row}.${expiresAt} < ${now(dialect)}`
}

/** Nobody holds the row: never claimed, released, or its window is over. */
export function free(dialect: Dialect, table: ClaimTable, row: Sql = table.row): Sql {
  const { claimedAt, expiresAt } = table.columns
  if (claimedAt === null) return raw('1 = 0')
  const endless = expiresAt === null ? raw('') : sql`${row}.${expiresAt} is null or `
  return sql`(${row}.${claimedAt} is null or ${endless}${over(dialect, table, row)}${ahead(dialect, table, row, ' or ', '>')})`
}

/** Somebody holds the row: the exact complement of `free`. */
export function live(dialect: Dialect, table: ClaimTable, row: Sql = table.row): Sql {
  const { claimedAt, expiresAt } = table.columns
  if (claimedAt === null) return raw('1 = 1')
  const within =
    expiresAt === null
      ? sql`${row}.${claimedAt} >= ${now(dialect)} - ${ttl}`
      : sql`${row}.${expiresAt} >= ${now(dialect)}`
  return sql`(${row}.${claimedAt} is not null and ${within}${ahead(dialect, table, row, ' and ', '<=')})`
}

function ahead(dialect: Dialect, table: ClaimTable, row: Sql, word: string, compares: string): Sql {
  if (table.reclaimAheadMs === null) return raw('')
  const limit = sql`${now(dialect)} + ${raw(String(table.reclaimAheadMs))}`
  return sql`${raw(word)}${row}.${table.columns.claimedAt!} ${raw(compares)} ${limit}`
}

/** Not completed: completion is final for its window. */
export function undone(table: ClaimTable): Sql {
  const { state } = table.columns
  return state === null ? raw('1 = 1') : sql`coalesce(${table.row}.${state}, 'held') <> 'done'`
}

/** The row of one claim: this key, under this token and no other. */
export function ofClaim(table: ClaimTable): Sql {
  return sql`${table.row}.${table.key} = ${slot('key')} and ${table.row}.${table.columns.token!} = ${slot('token')}`
}

/** What every statement about a claim gives back: its columns under their common names, and the clock that judged. */
export function rowColumns(dialect: Dialect, table: ClaimTable): Sql {
  const { claimedAt, expiresAt, token, holder } = table.columns
  const column = (name: Sql | null) => (name === null ? raw('null') : sql`${table.row}.${name}`)
  return sql`${table.row}.${table.key} as key, ${column(claimedAt)} as claimed_at, ${column(expiresAt)} as expires_at, ${column(token)} as token, ${column(holder)} as holder, ${now(dialect)} as judged_at`
}

/** As `rowColumns`, with what the winner left. */
export function viewColumns(dialect: Dialect, table: ClaimTable): Sql {
  const { state, result, fingerprint } = table.columns
  const column = (name: Sql | null) => (name === null ? raw('null') : sql`${table.row}.${name}`)
  return sql`${rowColumns(dialect, table)}, ${column(state)} as state, ${column(result)} as result, ${column(fingerprint)} as fingerprint`
}
