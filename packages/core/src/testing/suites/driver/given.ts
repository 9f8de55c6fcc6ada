import type { Driver, Expectation, Row, Statement } from '../../../port/driver.ts'
import { type Sql, sql, statement } from '../../../port/sql.ts'

/** A statement of these cases, named after what it does. */
export function say(driver: Driver, name: string, piece: Sql, expect?: Expectation): Statement {
  return statement(driver.dialect, piece, { name: `suite.${name}`, ...(expect !== undefined && { expect }) })
}

/** Runs a piece of SQL as one statement. */
export function run(driver: Driver, piece: Sql): Promise<Row[]> {
  return driver.execute(say(driver, 'run', piece))
}

/** A table with a key and an amount that is never negative, and one that refers to it. */
export async function tables(driver: Driver): Promise<void> {
  const { integer, tableOptions } = driver.dialect
  await run(
    driver,
    sql`create table sample (
      id text not null primary key, amount ${integer} check (amount >= 0))${tableOptions}`,
  )
  await run(
    driver,
    sql`create table child (parent text not null references sample (id) on delete cascade)${tableOptions}`,
  )
}

/** First come: one row for the first, none for the others. */
export function put(driver: Driver, id: string, expect?: Expectation): Statement {
  const piece = sql`insert into sample (id, amount) values (${id}, 1) on conflict (id) do nothing returning id`
  return say(driver, `put ${id}`, piece, expect)
}

/** Adds to the amounts of all rows whose id begins so. */
export function add(driver: Driver, start: string, by: number, expect?: Expectation): Statement {
  const changed = sql`update sample set amount = amount + ${by} where id like ${`${start}%`} returning id`
  return say(driver, `add to ${start}`, changed, expect)
}

/** A check: the row, locked where the engine locks rows. */
export function look(driver: Driver, id: string, expect?: Expectation): Statement {
  const found = sql`select id from sample where id = ${id}${driver.dialect.lockRows}`
  return say(driver, `look at ${id}`, found, expect)
}

/** What the table holds, as `id=amount`, in order. */
export async function held(driver: Driver): Promise<string[]> {
  const rows = await run(driver, sql`select id, amount from sample order by id${driver.dialect.byteOrder}`)
  return rows.map((row) => `${row.id}=${row.amount}`)
}

/** A row without the prototype that the driver gave it. */
export function plain(rows: readonly Row[]): Record<string, unknown>[] {
  return rows.map((row) => ({ ...row }))
}
