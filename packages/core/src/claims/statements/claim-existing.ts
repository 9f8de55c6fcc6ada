import { type Dialect, perDialect } from '../../port/dialect.ts'
import { raw, type Sql, slot, sql } from '../../port/sql.ts'
import type { ClaimTable } from '../table.ts'
import { free, rowColumns } from './conditions.ts'
import { takeover } from './takeover.ts'

/**
 * Claims rows that are there already: those of `keys` that are free and meet the caller's further
 * condition. The rows that come back are the wins.
 */
export function claimExisting(dialect: Dialect, table: ClaimTable, keys: Sql, where?: Sql): Sql {
  const { row, key } = table
  const condition = where === undefined ? free(dialect, table) : sql`${free(dialect, table)} and (${where})`
  const chosen = sql`${row}.${key} in (${keys}) and ${condition}`
  // PostgreSQL locks the rows in the order of their keys first, so that two callers never wait for
  // each other in a circle. The condition stands again outside: it is that one that decides.
  const locked = sql`${row}.${key} in (select ${row}.${key} from ${table.sql} where ${chosen} order by ${row}.${key}${dialect.byteOrder}${dialect.lockRows}) and ${condition}`
  const brought = { holder: slot('holder'), fingerprint: raw('null'), refresh: false }
  return sql`update ${table.sql} set ${takeover(dialect, table, brought)}
where ${perDialect(dialect, { sqlite: chosen, postgres: locked })}
returning ${rowColumns(dialect, table)}`
}
