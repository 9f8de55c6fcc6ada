import type { Driver, Statement } from '../../../port/driver.ts'
import { sql } from '../../../port/sql.ts'
import { equal } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { held, put, run, say, tables } from './given.ts'

/** Moves 10 from one account to another where the funds allow it. */
function transfer(driver: Driver, from: string, to: string): readonly Statement[] {
  return [
    say(
      driver,
      'debit',
      sql`update sample set amount = amount - 10 where id = ${from} and amount >= 10 returning id`,
      1,
    ),
    say(driver, 'credit', sql`update sample set amount = amount + 10 where id = ${to} returning id`, 1),
  ]
}

async function outcome(batch: Promise<unknown>): Promise<string> {
  return batch.then(
    () => 'moved',
    (error: { code?: string; statement?: string }) => `${error.code} ${error.statement}`,
  )
}

const accounts = sql`insert into sample (id, amount) values ('from', 35), ('to', 0)`

export const raceCases: readonly Case[] = [
  {
    name: 'money moved eight times at once with funds for three is moved exactly three times',
    needs: ['atomic'],
    async run({ driver }) {
      await tables(driver)
      await run(driver, accounts)
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () => outcome(driver.batch(transfer(driver, 'from', 'to')))),
      )
      equal(outcomes.sort(), [
        ...Array<string>(5).fill('GUARD_FAILED suite.debit'),
        ...Array<string>(3).fill('moved'),
      ])
      equal(await held(driver), ['from=5', 'to=30'])
    },
  },
  {
    name: 'the same from two connections, in both directions, keeps the sum',
    needs: ['atomic', 'peer'],
    async run({ driver, peer }) {
      await tables(driver)
      await run(driver, accounts)
      const other = await peer()
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, (_, index) => [
          outcome(driver.batch(transfer(driver, 'from', 'to'))),
          outcome(
            other.batch(index % 2 === 0 ? transfer(other, 'to', 'from') : transfer(other, 'from', 'to')),
          ),
        ]).flat(),
      )
      equal(
        outcomes.filter((one) => one !== 'moved' && one !== 'GUARD_FAILED suite.debit'),
        [],
      )
      const [row] = await run(driver, sql`select cast(sum(amount) as bigint) as total from sample`)
      equal(row?.total, 35)
    },
  },
  {
    name: 'of many who come first at once on two connections, one is',
    needs: ['peer'],
    async run({ driver, peer }) {
      await tables(driver)
      const drivers = [driver, await peer()]
      const results = await Promise.all(
        Array.from({ length: 32 }, (_, index) => {
          const one = drivers[index % 2]!
          return one.execute(put(one, `key ${index % 4}`))
        }),
      )
      equal(results.filter((rows) => rows.length === 1).length, 4)
      equal(await held(driver), ['key 0=1', 'key 1=1', 'key 2=1', 'key 3=1'])
    },
  },
]
