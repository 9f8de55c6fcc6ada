import { GuardError } from '../errors.ts'
import type { Driver, Expectation, Row, Statement } from './driver.ts'
import { messageOf } from './fault.ts'
import { type Sql, sql, statement } from './sql.ts'

/** The probe's own table, empty at the start of each rule, with the columns `key` and `amount`. */
export interface Scratch {
  readonly driver: Driver
  readonly table: Sql
}

export interface Rule {
  readonly rule: string
  /** Without an atomic batch there is nothing to look at. */
  readonly atomic?: true
  /** @returns nothing when the rule holds, otherwise what was seen. */
  look(scratch: Scratch): Promise<string | undefined>
}

const LARGEST = 9_007_199_254_740_991

export const RULES: readonly Rule[] = [
  {
    rule: 'a write gives the rows it wrote, and a write that lost gives none',
    async look(scratch) {
      const won = await run(scratch, insert(scratch, 'a'))
      const lost = await run(scratch, insert(scratch, 'a'))
      return won.length === 1 && lost.length === 0 ? undefined : `${won.length} and ${lost.length} rows`
    },
  },
  {
    rule: 'whole numbers come back as numbers',
    async look(scratch) {
      const { table } = scratch
      const piece = sql`insert into ${table} (key, amount) values ('a', ${LARGEST}) returning amount`
      const amount = (await run(scratch, piece))[0]?.amount
      return amount === LARGEST ? undefined : `${typeof amount} ${amount} for ${LARGEST}`
    },
  },
  {
    rule: "the database's clock is within five minutes of this process's",
    async look(scratch) {
      const [row] = await run(scratch, sql`select ${scratch.driver.dialect.clock} as now`)
      const apart = Math.abs(Number(row?.now) - Date.now())
      return Number.isSafeInteger(row?.now) && apart < 300_000 ? undefined : `${row?.now}, here ${Date.now()}`
    },
  },
  {
    rule: 'a batch whose counts are right is kept',
    async look(scratch) {
      const { driver, table } = scratch
      const results = await driver.batch([
        say(scratch, insert(scratch, 'a'), 1),
        say(scratch, check(scratch, 'a'), 'some'),
        say(scratch, sql`update ${table} set amount = 2 where key = 'z' returning key`, 0),
      ])
      const counts = results.map((rows) => rows.length).join()
      return counts === '1,1,0' ? differs(scratch, 'a') : `${counts} rows`
    },
  },
  {
    rule: 'an error takes the whole batch back',
    atomic: true,
    async look(scratch) {
      const { driver, table } = scratch
      const twice = sql`insert into ${table} (key) values ('a')`
      const failed = await driver.batch([say(scratch, insert(scratch, 'a'), 1), say(scratch, twice)]).then(
        () => 'no error',
        () => undefined,
      )
      return failed ?? differs(scratch, '')
    },
  },
  {
    rule: 'a write that falls short of its count takes the whole batch back, and is named',
    atomic: true,
    look: (scratch) => {
      const { table } = scratch
      return guarded(
        scratch,
        say(scratch, sql`update ${table} set amount = 2 where key = 'z' returning key`, 1),
      )
    },
  },
  {
    rule: "a write of no rows is not 'some'",
    atomic: true,
    look: (scratch) => {
      const { table } = scratch
      return guarded(scratch, say(scratch, sql`delete from ${table} where key = 'z' returning key`, 'some'))
    },
  },
  {
    rule: 'a check that does not hold takes the whole batch back',
    atomic: true,
    look: (scratch) => guarded(scratch, say(scratch, check(scratch, 'z'), 1)),
  },
]

/** A batch with a statement that gives no row though it had to, between two that do. */
async function guarded(scratch: Scratch, short: Statement): Promise<string | undefined> {
  const { driver } = scratch
  const batch = [say(scratch, insert(scratch, 'a'), 1), short, say(scratch, insert(scratch, 'b'), 1)]
  const error: unknown = await driver.batch(batch).then(
    () => new Error('no error'),
    (error) => error,
  )
  if (!(error instanceof GuardError)) return messageOf(error)
  if (error.index !== 1 || error.actual !== 0)
    return `statement ${error.index} with ${error.actual} rows named`
  return differs(scratch, '')
}

/** @returns what the table holds, when it is something else. */
async function differs(scratch: Scratch, keys: string): Promise<string | undefined> {
  const rows = await run(scratch, sql`select key from ${scratch.table} order by key`)
  const found = rows.map((row) => row.key).join()
  return found === keys ? undefined : `the table holds ${found || 'nothing'}`
}

function insert({ table }: Scratch, key: string): Sql {
  return sql`insert into ${table} (key, amount) values (${key}, 1) on conflict (key) do nothing returning key`
}

function check({ table, driver }: Scratch, key: string): Sql {
  return sql`select key from ${table} where key = ${key}${driver.dialect.lockRows}`
}

export function run(scratch: Scratch, piece: Sql): Promise<Row[]> {
  return scratch.driver.execute(say(scratch, piece))
}

function say({ driver }: Scratch, piece: Sql, expect?: Expectation): Statement {
  return statement(driver.dialect, piece, { name: 'probe', ...(expect !== undefined && { expect }) })
}
