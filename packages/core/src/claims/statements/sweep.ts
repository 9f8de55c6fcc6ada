import { type Dialect, perDialect } from '../../port/dialect.ts'
import { slot, sql, type Template, template } from '../../port/sql.ts'
import type { ClaimTable } from '../table.ts'
import { now } from './conditions.ts'

/**
 * Deletes rows that have long been free. A row whose token is not yet behind the clock stays: a new
 * row starts at the clock's reading, and must not give a number that was given before.
 */
export function sweep(dialect: Dialect, table: ClaimTable): Template {
  const { claimedAt, expiresAt, token } = table.columns
  const { row } = table
  const before = sql`(${now(dialect)} - cast(${slot('olderThan')} as bigint))`
  const leftOver = sql`(${row}.${claimedAt!} is null or ${row}.${expiresAt!} is null or ${row}.${expiresAt!} < ${before}) and coalesce(${row}.${token!}, 0) < ${before}`
  const until = sql`cast(${slot('until')} as text)`
  const key = sql`${row}.${table.key}`
  const ordered = sql`${key}${dialect.byteOrder}`
  const within = sql`${ordered} >= ${slot('from')} and (${until} is null or ${ordered} < ${until})`
  const chosen = sql`${key} in (select ${key} from ${table.sql} where ${within} and ${leftOver} limit ${slot('limit')})`
  // On PostgreSQL the row may have been won while the statement waited for it; the condition outside is
  // the one that is looked at again then.
  const where = perDialect(dialect, { sqlite: chosen, postgres: sql`${chosen} and ${leftOver}` })
  return template(
    dialect,
    'claims.sweep',
    sql`delete from ${table.sql} where ${where} returning ${key} as key`,
  )
}
