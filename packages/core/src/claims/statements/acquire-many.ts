import { type Dialect, perDialect } from '../../port/dialect.ts'
import type { Value } from '../../port/driver.ts'
import { identifier, join, raw, type Sql, slot, sql, type Template, template } from '../../port/sql.ts'
import type { ClaimTable } from '../table.ts'
import { claim } from './claim.ts'

/** Claims any number of keys through one JSON parameter, each by itself. The rows that come back are the wins. */
export function acquireMany(dialect: Dialect, table: ClaimTable): Template {
  const key = sql`source.${plain(table) ? raw('value') : table.key}`
  const source = {
    key,
    value: (column: string) => sql`source.${identifier(column)}`,
    tables: sql`, ${plain(table) ? sql`${dialect.texts(slot('rows'))} as source` : records(dialect, table)}`,
    // Two callers that lock the same rows in different orders would wait for each other for ever.
    order: sql`\norder by ${key}${dialect.byteOrder}`,
  }
  return template(dialect, 'claims.acquireMany', claim(dialect, table, source))
}

/** One row for `acquireMany`. */
export interface ManyRow {
  readonly key: string
  readonly values: Readonly<Record<string, Value>>
}

/** The rows as the JSON that `acquireMany` reads; keys must differ. */
export function manyRows(table: ClaimTable, rows: readonly ManyRow[]): string {
  return JSON.stringify(
    plain(table)
      ? rows.map(({ key }) => key)
      : rows.map(({ key, values }) => ({ ...values, [table.keyName]: key })),
    // 64-bit integers pass as text and are read as numbers again by the column's type.
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  )
}

/** Nothing but keys: an array of strings is enough. */
function plain(table: ClaimTable): boolean {
  return table.insert.length === 0
}

/** Objects as rows. PostgreSQL types them by the table's own columns; SQLite takes JSON's types as they are. */
function records(dialect: Dialect, table: ClaimTable): Sql {
  const member = (name: string) => raw(`'$."${name.replaceAll("'", "''")}"'`)
  const columns = [table.keyName, ...table.insert].map(
    (name) => sql`json_extract(value, ${member(name)}) as ${identifier(name)}`,
  )
  return perDialect(dialect, {
    sqlite: sql`(select ${join(columns)} from json_each(${slot('rows')})) as source`,
    postgres: sql`json_populate_recordset(cast(null as ${table.sql}), cast(${slot('rows')} as json)) as source`,
  })
}
