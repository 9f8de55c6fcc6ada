import type { Dialect } from '../../port/dialect.ts'
import { slot, sql, type Template, template } from '../../port/sql.ts'
import type { ClaimTable } from '../table.ts'
import { live, now, ofClaim, rowColumns } from './conditions.ts'

/**
 * Writes what came of a claim that is still held. The window stays as it is unless `keepFor` is
 * given. A claim that is done already may be completed again: the caller may not have heard the answer.
 */
export function complete(dialect: Dialect, table: ClaimTable): Template {
  const { state, result, expiresAt } = table.columns
  return template(
    dialect,
    'claims.complete',
    sql`update ${table.sql} set ${state!} = 'done', ${result!} = ${slot('result')}, ${expiresAt!} = coalesce(${now(dialect)} + cast(${slot('keepFor')} as bigint), ${table.row}.${expiresAt!})
where ${ofClaim(table)} and ${live(dialect, table)}
returning ${rowColumns(dialect, table)}`,
  )
}
