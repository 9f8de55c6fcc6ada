import type { Dialect } from '../../port/dialect.ts'
import { slot, sql, type Template, template } from '../../port/sql.ts'
import type { ClaimTable } from '../table.ts'
import { viewColumns } from './conditions.ts'

/** One key's row as it stands. */
export function look(dialect: Dialect, table: ClaimTable): Template {
  return template(
    dialect,
    'claims.look',
    sql`select ${viewColumns(dialect, table)} from ${table.sql} where ${table.row}.${table.key} = ${slot('key')}`,
  )
}

/** The rows of many keys, from one JSON array. */
export function lookMany(dialect: Dialect, table: ClaimTable): Template {
  return template(
    dialect,
    'claims.lookMany',
    sql`select ${viewColumns(dialect, table)} from ${table.sql} where ${table.row}.${table.key} in (select value from ${dialect.texts(slot('keys'))} as chosen)`,
  )
}
