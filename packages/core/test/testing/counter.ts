import type { Driver, Statement, Value } from '../../src/port/driver.ts'
import { integer } from '../../src/port/row.ts'
import type { Actor, Finished } from '../../src/testing/index.ts'

/** A toy to explore: one row that counts. */

export const say = (name: string, text: string, ...values: Value[]): Statement => ({ name, text, values })

export async function counter(driver: Driver): Promise<void> {
  await driver.execute(
    say('setup', 'create table counter (id integer primary key, value integer not null) strict'),
  )
  await driver.execute(say('setup', 'insert into counter values (1, 0)'))
}

/** The classic lost update: read, add in the program, write. */
export const readThenWrite: Actor = async (driver) => {
  const [row] = await driver.execute(say('read', 'select value from counter where id = 1'))
  await driver.execute(say('write', 'update counter set value = ?', integer(row!, 'value') + 1))
}

export const inOneStatement: Actor = async (driver) => {
  await driver.execute(say('add', 'update counter set value = value + 1'))
}

/** So many statements that change nothing. */
export const steps =
  (count: number): Actor =>
  async (driver) => {
    for (let step = 1; step <= count; step++) await driver.execute(say(`step-${step}`, 'select 1 as one'))
  }

export async function counted({ driver }: Finished): Promise<number> {
  const [row] = await driver.execute(say('check', 'select value from counter'))
  return integer(row!, 'value')
}
