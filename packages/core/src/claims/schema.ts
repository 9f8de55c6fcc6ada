import type { Dialect } from '../port/dialect.ts'
import type { ModuleSchema, TableNames } from '../port/schema.ts'
import { type Sql, sql } from '../port/sql.ts'

/**
 * One table. No index besides the key's: every verb but `sweep` and `list` goes by key, and an index
 * over times that change with every win would cost every win a second write.
 */
export const claimsSchema: ModuleSchema = {
  module: 'claims',
  migrations: [{ number: 1, name: 'claims', statements: first }],
}

function first(dialect: Dialect, tables: TableNames): readonly Sql[] {
  // Byte order: the same on every engine, and the order in which pages are listed.
  return [
    sql`create table if not exists ${tables('claims')} (
  key text${dialect.byteOrder} not null primary key,
  claimed_at ${dialect.integer},
  expires_at ${dialect.integer},
  token ${dialect.integer},
  holder text,
  state text check (state in ('held', 'done')),
  result text,
  fingerprint text
)${dialect.tableOptions}`,
  ]
}
