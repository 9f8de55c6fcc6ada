import type { Driver } from '../../../port/driver.ts'
import type { Migration, ModuleSchema } from '../../../port/schema.ts'
import { identifier, sql, statement } from '../../../port/sql.ts'

const table: Migration = {
  number: 1,
  name: 'a table',
  statements: (dialect, tables) => [
    sql`create table if not exists ${tables('sample')} (
  id ${dialect.integer} not null primary key
)${dialect.tableOptions}`,
  ],
}

/** Not idempotent: run twice, it leaves two rows' worth. */
const sum: Migration = {
  number: 2,
  name: 'a sum',
  statements: (_dialect, tables) => [
    sql`insert into ${tables('sample')} (id) select coalesce(max(id), 0) + 1 from ${tables('sample')}`,
  ],
}

const broken: Migration = {
  number: 2,
  name: "one that's broken",
  statements: (_dialect, tables) => [
    sql`insert into ${tables('sample')} (id) values (1)`,
    sql`insert into ${tables('no_such_table')} (id) values (1)`,
  ],
}

/** A module before its second release, after it, and with a release that cannot be applied. */
export const released: ModuleSchema = { module: 'sample', migrations: [table] }
export const later: ModuleSchema = { module: 'sample', migrations: [table, sum] }
export const faulty: ModuleSchema = { module: 'sample', migrations: [table, broken] }

export const TABLE = { module: 'sample', number: 1, name: 'a table' }
export const SUM = { module: 'sample', number: 2, name: 'a sum' }

/** The ids in the sample's table. */
export async function idsIn(driver: Driver, name = 'rowlock_sample'): Promise<unknown[]> {
  const select = sql`select id from ${identifier(name)} order by id`
  const rows = await driver.execute(statement(driver.dialect, select, { name: 'sample.ids' }))
  return rows.map(({ id }) => id)
}
