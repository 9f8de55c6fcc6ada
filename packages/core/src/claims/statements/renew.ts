import type { Dialect } from '../../port/dialect.ts'
import { sql, type Template, template } from '../../port/sql.ts'
import type { ClaimTable } from '../table.ts'
import { live, now, ofClaim, rowColumns, ttl, undone } from './conditions.ts'

/** Gives a claim that is still held a new window from now on. */
export function renew(dialect: Dialect, table: ClaimTable): Template {
  return template(
    dialect,
    'claims.renew',
    sql`update ${table.sql} set ${table.columns.expiresAt!} = ${now(dialect)} + ${ttl}
where ${ofClaim(table)} and ${live(dialect, table)} and ${undone(table)}
returning ${rowColumns(dialect, table)}`,
  )
}
