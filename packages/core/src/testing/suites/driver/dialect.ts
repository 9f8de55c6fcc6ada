import { instant } from '../../../port/dialect.ts'
import { sql } from '../../../port/sql.ts'
import { equal, ok } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { plain, put, run, tables } from './given.ts'

/** 2020 and 2100: a clock that counts seconds or microseconds is far outside. */
const EARLIEST_MS = 1_577_836_800_000
const LATEST_MS = 4_102_444_800_000

export const dialectCases: readonly Case[] = [
  {
    name: 'the clock is in whole milliseconds, and an injected instant goes before it',
    async run({ driver }) {
      const { dialect } = driver
      const [row] = await run(
        driver,
        sql`select ${instant(dialect, sql`${null}`)} as clock, ${instant(dialect, sql`${1234}`)} as injected`,
      )
      const clock = row?.clock
      ok(Number.isSafeInteger(clock), `the clock must be a whole number, not ${clock}`)
      ok(
        (clock as number) > EARLIEST_MS && (clock as number) < LATEST_MS,
        `${clock} is no time of this century`,
      )
      equal(row?.injected, 1234)
    },
  },
  {
    name: 'a list of texts is a table, with positions from 0',
    async run({ driver }) {
      const texts = ['b', '', "it's", '日本語', '"', 'a']
      const rows = await run(
        driver,
        sql`select position, value from ${driver.dialect.texts(sql`${JSON.stringify(texts)}`)} given order by position`,
      )
      equal(
        plain(rows),
        texts.map((value, position) => ({ position, value })),
      )
      equal(await run(driver, sql`select value from ${driver.dialect.texts(sql`${'[]'}`)} given`), [])
    },
  },
  {
    name: 'a list of objects is a table whose values have fields',
    async run({ driver }) {
      const objects = [
        { name: 'b', amount: 2 },
        { name: null, amount: 9_007_199_254_740_991 },
      ]
      const rows = await run(
        driver,
        sql`select position, value ->> 'name' as name, cast(value ->> 'amount' as bigint) as amount
          from ${driver.dialect.objects(sql`${JSON.stringify(objects)}`)} given order by position`,
      )
      equal(
        plain(rows),
        objects.map((object, position) => ({ position, ...object })),
      )
    },
  },
  {
    name: 'the larger of two numbers, and equality that knows NULL',
    async run({ driver }) {
      const { greater, same } = driver.dialect
      const [row] = await run(
        driver,
        sql`select ${greater(sql`7`, sql`-3`)} as larger,
          case when ${same(sql`null`, sql`null`)} then 'same' else 'other' end as nulls,
          case when ${same(sql`'a'`, sql`null`)} then 'same' else 'other' end as mixed`,
      )
      equal({ ...row }, { larger: 7, nulls: 'same', mixed: 'other' })
    },
  },
  {
    name: 'rows can be locked, leaving out those that others hold, and byte order is everywhere the same',
    async run({ driver }) {
      await tables(driver)
      const { byteOrder, lockRows, lockFreeRows } = driver.dialect
      for (const id of ['b', 'B', 'a', '_', 'é']) await driver.execute(put(driver, id))
      for (const lock of [lockRows, lockFreeRows]) {
        const rows = await run(driver, sql`select id from sample order by id${byteOrder}${lock}`)
        equal(
          rows.map((row) => row.id),
          ['B', '_', 'a', 'b', 'é'],
        )
      }
    },
  },
  {
    name: 'an identity rises and is never used twice',
    async run({ driver }) {
      const { identity, tableOptions } = driver.dialect
      await run(driver, sql`create table numbered (id ${identity}, name text not null)${tableOptions}`)
      const insert = sql`insert into numbered (name) values ('x') returning id`
      const first = (await run(driver, insert))[0]?.id as number
      const second = (await run(driver, insert))[0]?.id as number
      await run(driver, sql`delete from numbered`)
      const third = (await run(driver, insert))[0]?.id as number
      ok(first < second && second < third, `${first}, ${second}, ${third} must rise`)
    },
  },
]
