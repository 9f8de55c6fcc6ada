import type { Dialect } from '../../port/dialect.ts'
import { sql, type Template, template } from '../../port/sql.ts'
import type { ClaimTable } from '../table.ts'
import { ofClaim, undone } from './conditions.ts'

/**
 * Frees a key under the claim's own token, which stays in the row so that the next one is larger. What
 * is free already may be freed again: under this token it was freed by the same caller.
 */
export function release(dialect: Dialect, table: ClaimTable): Template {
  const { claimedAt } = table.columns
  return template(
    dialect,
    'claims.release',
    sql`update ${table.sql} set ${claimedAt!} = null
where ${ofClaim(table)} and ${undone(table)}
returning ${table.row}.${table.key} as key`,
  )
}
