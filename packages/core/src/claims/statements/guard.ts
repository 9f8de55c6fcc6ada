import type { Dialect } from '../../port/dialect.ts'
import { sql, type Template, template } from '../../port/sql.ts'
import type { ClaimTable } from '../table.ts'
import { live, ofClaim, undone } from './conditions.ts'

/**
 * Gives one row while the claim is held, none afterwards. The row stays locked to the end of the
 * batch, so that no takeover can come between the check and the writes behind it.
 */
export function guard(dialect: Dialect, table: ClaimTable): Template {
  return template(
    dialect,
    'claims.guard',
    sql`select ${table.row}.${table.key} as key from ${table.sql}
where ${ofClaim(table)} and ${live(dialect, table)} and ${undone(table)}${dialect.lockRows}`,
  )
}
