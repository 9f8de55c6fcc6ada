import { atomic, type Driver, sql, statement } from '@rowlock/core'

/**
 * The transfer: a batch that is "atomic" and still creates money.
 *
 * Eight transfers of 100 at once, funds for three. The debit is guarded (`balance >= 100`), and the
 * batch is one transaction; but an update of no rows is no error, so the credit is kept without it.
 */
export const title =
  'Eight transfers of 100 at once from an account that holds 300: 3 are right, and the sum stays 300.'

const CALLERS = 8
const AMOUNT = 100

export async function broken(driver: Driver): Promise<string> {
  await open(driver)
  const { dialect } = driver
  await Promise.all(
    Array.from({ length: CALLERS }, () =>
      driver.batch([
        statement(dialect, debit, { name: 'story.debit' }),
        statement(dialect, credit, { name: 'story.credit' }),
      ]),
    ),
  )
  return `sum ${await sum(driver)}`
}

export async function ours(driver: Driver): Promise<string> {
  await open(driver)
  const answers = await Promise.all(
    Array.from({ length: CALLERS }, () =>
      atomic(driver)
        .write(debit, { name: 'debit', expect: 1 })
        .write(credit, { name: 'credit', expect: 1 })
        .commit(),
    ),
  )
  const moved = answers.filter((answer) => answer.ok).length
  const refusedBy = new Set(
    answers.map((answer) => (answer.ok || answer.reason !== 'condition' ? '' : answer.failed.name)),
  )
  refusedBy.delete('')
  return `sum ${await sum(driver)}, ${moved} moved, ${CALLERS - moved} refused by ${[...refusedBy].join()}`
}

const debit = sql`update story_accounts set balance = balance - ${AMOUNT}
  where id = 'anna' and balance >= ${AMOUNT} returning balance`
const credit = sql`update story_accounts set balance = balance + ${AMOUNT} where id = 'ben' returning balance`

async function open(driver: Driver): Promise<void> {
  for (const text of [
    sql`drop table if exists story_accounts`,
    sql`create table story_accounts (id text primary key not null, balance integer not null)`,
    sql`insert into story_accounts (id, balance) values ('anna', 300), ('ben', 0)`,
  ]) {
    await driver.execute(statement(driver.dialect, text, { name: 'story.open' }))
  }
}

async function sum(driver: Driver): Promise<number> {
  const [row] = await driver.execute(
    statement(driver.dialect, sql`select cast(sum(balance) as integer) as sum from story_accounts`, {
      name: 'story.sum',
    }),
  )
  return Number(row?.sum)
}
