import type { Dialect } from '../port/dialect.ts'
import type { Statement } from '../port/driver.ts'
import type { Migration, ModuleSchema, TableNames } from '../port/schema.ts'
import { raw, type Sql, sql, statement } from '../port/sql.ts'

/** The table that says which migrations have been applied, and when. */
export function createMigrations(dialect: Dialect, tables: TableNames): Sql {
  return sql`create table if not exists ${tables('migrations')} (
  module text not null,
  number ${dialect.integer} not null,
  name text not null,
  applied_at ${dialect.integer} not null,
  primary key (module, number)
)${dialect.tableOptions}`
}

/** Every migration that has been applied. */
export function appliedMigrations(dialect: Dialect, tables: TableNames): Statement {
  const text = sql`select module, number from ${tables('migrations')}`
  return statement(dialect, text, { name: 'install.applied' })
}

/** Writes a migration down as applied; gives its row unless somebody else has done so already. */
export function recordMigration(
  dialect: Dialect,
  tables: TableNames,
  { module }: ModuleSchema,
  { number, name }: Migration,
): Sql {
  // Written out instead of bound, so that the same text stands in a file: they are constants of ours.
  return sql`insert into ${tables('migrations')} (module, number, name, applied_at)
values (${quoted(module)}, ${raw(String(number))}, ${quoted(name)}, ${dialect.clock})
on conflict (module, number) do nothing`
}

function quoted(text: string): Sql {
  return raw(`'${text.replaceAll("'", "''")}'`)
}
