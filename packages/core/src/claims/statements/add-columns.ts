import { type Dialect, perDialect } from '../../port/dialect.ts'
import type { Statement } from '../../port/driver.ts'
import { raw, sql, statement, type Template, template } from '../../port/sql.ts'
import type { ClaimColumn } from '../options.ts'
import type { ClaimTable } from '../table.ts'
import { now, ttl } from './conditions.ts'

const TIMES: readonly ClaimColumn[] = ['claimedAt', 'expiresAt', 'token']

/** Reads one of the claim's columns and no row: fails when the column is missing. */
export function hasColumn(dialect: Dialect, table: ClaimTable, column: ClaimColumn): Statement {
  // The qualifier matters: SQLite may read a bare quoted name that it does not know as a string.
  const text = sql`select ${table.row}.${table.columns[column]!} as found from ${table.sql} where 1 = 0`
  return statement(dialect, text, { name: 'claims.hasColumn' })
}

/** Adds one of the claim's columns to the user's own table. */
export function addColumn(dialect: Dialect, table: ClaimTable, column: ClaimColumn): Statement {
  const unless = perDialect(dialect, { sqlite: raw(''), postgres: raw(' if not exists') })
  const type = TIMES.includes(column) ? dialect.integer : raw('text')
  const text = sql`alter table ${table.sql} add column${unless} ${table.columns[column]!} ${type}`
  return statement(dialect, text, { name: 'claims.addColumn' })
}

/**
 * Gives the rows that were there before their columns one window: from when they were claimed where
 * that is known, otherwise from now.
 */
export function holdExisting(dialect: Dialect, table: ClaimTable): Template {
  const { row, columns } = table
  const { claimedAt, expiresAt, token } = columns
  const since = sql`coalesce(${row}.${claimedAt!}, ${now(dialect)})`
  const text =
    expiresAt === null
      ? sql`update ${table.sql} set ${claimedAt!} = ${since} where ${row}.${claimedAt!} is null`
      : sql`update ${table.sql} set (${claimedAt!}, ${expiresAt}, ${token!}) = (select c.at, c.at + ${ttl}, c.at from (select ${since} as at) c) where ${row}.${token!} is null`
  return template(dialect, 'claims.holdExisting', text)
}
