import type { Value } from '../../../port/driver.ts'
import { sql } from '../../../port/sql.ts'
import { equal, ok, rejects } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { held, look, put, run, say, tables } from './given.ts'

export const executeCases: readonly Case[] = [
  {
    name: 'a statement gives the rows of its RETURNING: one for the winner, none for the others',
    async run({ driver }) {
      await tables(driver)
      const results = await Promise.all(['a', 'a', 'b'].map((id) => driver.execute(put(driver, id))))
      equal(results.map((rows) => rows.length).sort(), [0, 1, 1])
      equal(await held(driver), ['a=1', 'b=1'])
    },
  },
  {
    name: 'a statement commits by itself',
    needs: ['peer'],
    async run({ driver, peer }) {
      await tables(driver)
      const other = await peer()
      await driver.execute(put(driver, 'a'))
      equal(await held(other), ['a=1'])
      equal(await other.execute(put(other, 'a')), [])
    },
  },
  {
    name: 'a write that changes nothing it finds is counted, and one that finds nothing is not',
    async run({ driver }) {
      await tables(driver)
      await driver.execute(put(driver, 'a'))
      equal((await run(driver, sql`update sample set amount = amount returning id`)).length, 1)
      equal((await run(driver, sql`update sample set amount = 2 where id = 'z' returning id`)).length, 0)
      equal((await run(driver, sql`delete from sample returning id`)).length, 1)
    },
  },
  {
    name: 'whole numbers come back as numbers, up to 2^53',
    async run({ driver }) {
      await tables(driver)
      for (const amount of [0, 5, 9_007_199_254_740_991]) {
        const [row] = await run(
          driver,
          sql`insert into sample (id, amount) values (${`n${amount}`}, ${amount}) returning amount, amount = ${amount} as same`,
        )
        equal(row?.amount, amount)
        ok(row?.same, `${amount} must equal itself in the database`)
      }
      const [counted] = await run(driver, sql`select count(*) as n, max(amount) as largest from sample`)
      equal({ ...counted }, { n: 3, largest: 9_007_199_254_740_991 })
    },
  },
  {
    name: 'a bigint is a whole number like any other',
    async run({ driver }) {
      await tables(driver)
      const [row] = await run(
        driver,
        sql`insert into sample (id, amount) values ('a', ${5n}) returning amount`,
      )
      equal(row?.amount, 5)
    },
  },
  {
    name: 'text comes back as it was',
    async run({ driver }) {
      await tables(driver)
      const texts = [
        '',
        ' ',
        "it's",
        'a "b" `c`',
        'line\nbreak\r\n',
        '日本語',
        '👩‍💻',
        '$1 ? :a @b',
        '\\x00',
        'null',
      ]
      for (const text of texts) {
        const [row] = await run(driver, sql`insert into sample (id) values (${text}) returning id, amount`)
        equal({ ...row }, { id: text, amount: null })
        equal((await driver.execute(look(driver, text))).length, 1)
      }
    },
  },
  {
    name: 'a value that no engine stores as it is is refused',
    async run({ driver }) {
      await tables(driver)
      const wrong: readonly unknown[] = [
        Number.NaN,
        Number.POSITIVE_INFINITY,
        undefined,
        new Date(0),
        2n ** 64n,
      ]
      for (const value of wrong) {
        const statement = put(driver, 'a')
        await rejects(driver.execute({ ...statement, values: [value as Value] }), { code: 'INVALID_INPUT' })
        await rejects(driver.batch([put(driver, 'b'), { ...statement, values: [value as Value] }]), {
          code: 'INVALID_INPUT',
        })
      }
      equal(await held(driver), driver.atomicBatch ? [] : ['b=1'])
    },
  },
  {
    name: 'what stands outside a batch carries no expect, and one text is one statement',
    async run({ driver }) {
      await tables(driver)
      await rejects(driver.execute(put(driver, 'a', 1)), { code: 'INVALID_INPUT' })
      const two = sql`insert into sample (id) values ('a'); insert into sample (id) values ('b')`
      await rejects(run(driver, two), { code: 'INVALID_INPUT' })
      await rejects(driver.batch([say(driver, 'two', two)]), { code: 'INVALID_INPUT' })
      equal(await held(driver), [])
    },
  },
]
