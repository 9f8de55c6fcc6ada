import type { Dialect } from '../../port/dialect.ts'
import { slot, sql, type Template, template } from '../../port/sql.ts'
import type { ClaimTable } from '../table.ts'
import { over } from './conditions.ts'

/**
 * Gives the wins of this attempt that are over already; a batch expects none of them. A statement
 * that had to wait for somebody's transaction can win a window that ended while it waited, and
 * companions must not be written for such a win.
 */
export function unexpired(dialect: Dialect, table: ClaimTable): Template {
  const { row, key, columns } = table
  const own = columns.holder === null ? sql`` : sql` and ${row}.${columns.holder} = ${slot('holder')}`
  return template(
    dialect,
    'claims.unexpired',
    sql`select ${row}.${key} as key from ${table.sql}
where ${row}.${key} in (select value from ${dialect.texts(slot('keys'))} as chosen)${own} and ${columns.claimedAt === null ? sql`1 = 0` : over(dialect, table)}${dialect.lockRows}`,
  )
}
