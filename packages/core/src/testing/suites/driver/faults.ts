import { type Sql, sql } from '../../../port/sql.ts'
import { equal, rejects } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { held, put, run, say, tables } from './given.ts'

interface Fault {
  readonly name: string
  readonly piece: Sql
  readonly shape: { readonly code: string; readonly [property: string]: unknown }
}

const faults: readonly Fault[] = [
  {
    name: 'a table that is missing',
    piece: sql`insert into nowhere (id) values ('a')`,
    shape: { code: 'SCHEMA', problem: 'missing-table' },
  },
  {
    name: 'a table that is missing, read from',
    piece: sql`select id from nowhere`,
    shape: { code: 'SCHEMA', problem: 'missing-table' },
  },
  {
    name: 'a column that is missing from an INSERT',
    piece: sql`insert into sample (id, nope) values ('a', 1)`,
    shape: { code: 'SCHEMA', problem: 'missing-column' },
  },
  {
    name: 'a column that is missing from an UPDATE',
    piece: sql`update sample set nope = 1`,
    shape: { code: 'SCHEMA', problem: 'missing-column' },
  },
  {
    name: 'a column that is missing from a SELECT',
    piece: sql`select nope from sample`,
    shape: { code: 'SCHEMA', problem: 'missing-column' },
  },
  {
    name: 'a key that is taken',
    piece: sql`insert into sample (id) values ('taken')`,
    shape: { code: 'ENGINE', fault: 'unique' },
  },
  {
    name: 'a reference to nothing',
    piece: sql`insert into child (parent) values ('nobody')`,
    shape: { code: 'ENGINE', fault: 'foreign-key' },
  },
  {
    name: 'a check that fails',
    piece: sql`insert into sample (id, amount) values ('a', -1)`,
    shape: { code: 'ENGINE', fault: 'check' },
  },
  {
    name: 'a NULL where none may be',
    piece: sql`insert into sample (id) values (null)`,
    shape: { code: 'ENGINE', fault: 'check' },
  },
  {
    name: 'text that is no SQL',
    piece: sql`select from where`,
    shape: { code: 'ENGINE', fault: 'other' },
  },
]

export const faultCases: readonly Case[] = [
  ...faults.map(
    ({ name, piece, shape }): Case => ({
      name: `${name} is told apart, with the statement's name, and what comes after works`,
      async run({ driver }) {
        await tables(driver)
        await driver.execute(put(driver, 'taken'))
        const error = await rejects(driver.execute(say(driver, 'wrong', piece)), {
          ...shape,
          retryable: false,
        })
        equal((error as { details: { statement?: string } }).details.statement, 'suite.wrong')
        await rejects(driver.batch([put(driver, 'again'), say(driver, 'wrong', piece)]), shape)
        if (driver.atomicBatch) equal(await held(driver), ['taken=1'])
        await driver.execute(put(driver, 'z'))
      },
    }),
  ),
  {
    name: 'a missing column and a missing table are named',
    async run({ driver }) {
      await tables(driver)
      const column = await rejects(run(driver, sql`insert into sample (id, claimed_at) values ('a', 1)`))
      equal((column as { details: { column?: string } }).details.column, 'claimed_at')
      const read = await rejects(run(driver, sql`select s.claimed_at from sample s`))
      equal((read as { details: { column?: string } }).details.column, 'claimed_at')
      const table = await rejects(run(driver, sql`delete from nowhere`))
      equal((table as { details: { table?: string } }).details.table, 'nowhere')
    },
  },
  {
    name: 'a column that is added is there for the next call, without a restart',
    async run({ driver }) {
      await tables(driver)
      const late = sql`insert into sample (id, late) values ('a', 'x') on conflict (id) do update set late = 'y' returning late`
      await rejects(run(driver, late), { code: 'SCHEMA', problem: 'missing-column' })
      await run(driver, sql`alter table sample add column late text`)
      equal(
        (await run(driver, late)).map((row) => row.late),
        ['x'],
      )
      equal(
        (await run(driver, late)).map((row) => row.late),
        ['y'],
      )
    },
  },
]
