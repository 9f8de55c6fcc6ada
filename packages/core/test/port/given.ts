import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { sqlite } from '../../src/drivers/sqlite.ts'
import type { Driver, Expectation, Row, Statement, Value } from '../../src/port/driver.ts'

export const say = (text: string, values: readonly Value[] = [], expect?: Expectation): Statement =>
  expect === undefined ? { name: 'test.it', text, values } : { name: 'test.it', text, values, expect }

/** A SQLite database in memory with the table `t`, and a look at its keys. */
export function memory(t: TestContext) {
  const database = new DatabaseSync(':memory:')
  t.after(() => database.close())
  database.exec('create table t (key text primary key not null, amount integer) strict')
  const keys = () =>
    database
      .prepare('select key from t order by key')
      .all()
      .map((row) => row.key)
  return { database, driver: sqlite(database), keys }
}

export const put = (key: string, expect?: Expectation) =>
  say('insert into t (key) values (?) on conflict do nothing returning key', [key], expect)

/** A driver whose calls are answered by `run`, with everything else as in `driver`. */
export function wrapped(
  driver: Driver,
  run: (statements: readonly Statement[], next: () => Promise<Row[][]>) => Promise<Row[][]>,
): Driver {
  return {
    ...driver,
    execute: async (statement) =>
      (await run([statement], async () => [await driver.execute(statement)]))[0] as Row[],
    batch: (statements) => run(statements, () => driver.batch(statements)),
  }
}
