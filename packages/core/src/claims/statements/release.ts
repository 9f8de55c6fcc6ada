import type { Dialect } from '../../port/dialect.ts'
import { sql, type Template, template } from '../../port/sql.ts'
import type { ClaimTable } from '../table.ts'
import { ofClaim, rowColumns, undone } from './conditions.ts'

/** Frees a key under the claim's own token. The token stays in the row, so that the next one is larger. */
export function release(dialect: Dialect, table: ClaimTable): Template {
  const { claimedAt } = table.columns
  return template(
    dialect,
    'claims.release',
    sql`update ${table.sql} set ${claimedAt!} = null
where ${ofClaim(table)} and ${table.row}.${claimedAt!} is not null and ${undone(table)}
returning ${rowColumns(dialect, table)}`,
  )
}
