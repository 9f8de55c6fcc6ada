import type { Driver, Expectation, Statement } from '../../../port/driver.ts'
import { sql } from '../../../port/sql.ts'
import { equal, rejects } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { add, held, look, put, say, tables } from './given.ts'

interface Guarded {
  readonly name: string
  /** A statement that gives `gives` rows where the table holds a1, a2 and b. */
  readonly statement: (driver: Driver, expect: Expectation) => Statement
  readonly gives: number
}

const guarded: readonly Guarded[] = [
  { name: 'an update of two rows', statement: (driver, expect) => add(driver, 'a', 1, expect), gives: 2 },
  { name: 'an update of no row', statement: (driver, expect) => add(driver, 'z', 1, expect), gives: 0 },
  { name: 'an insert', statement: (driver, expect) => put(driver, 'c', expect), gives: 1 },
  { name: 'an insert that lost', statement: (driver, expect) => put(driver, 'b', expect), gives: 0 },
  {
    name: 'a delete with what it takes along',
    statement: (driver, expect) =>
      say(driver, 'delete', sql`delete from sample where id = 'b' returning id`, expect),
    gives: 1,
  },
  { name: 'a check that holds', statement: (driver, expect) => look(driver, 'b', expect), gives: 1 },
  { name: 'a check that does not hold', statement: (driver, expect) => look(driver, 'z', expect), gives: 0 },
]

/** Where the guarded statement may stand: what is before and behind it must not be mistaken for its rows. */
const places: Readonly<Record<string, (driver: Driver, it: Statement) => readonly Statement[]>> = {
  alone: (_driver, it) => [it],
  'behind a write': (driver, it) => [put(driver, 'new'), it],
  'behind a read': (driver, it) => [put(driver, 'new', 1), look(driver, 'b'), it],
  'before a write': (driver, it) => [it, put(driver, 'new')],
}

async function given(driver: Driver): Promise<void> {
  await tables(driver)
  await driver.batch(['a1', 'a2', 'b'].map((id) => put(driver, id, 1)))
  await driver.execute(say(driver, 'child', sql`insert into child (parent) values ('b'), ('b')`))
}

function guardCase({ name, statement, gives }: Guarded, place: string): Case {
  const build = places[place]!
  return {
    name: `${name}, ${place}: the batch is done when the count is right, and otherwise not at all`,
    needs: ['atomic'],
    async run({ driver }) {
      await given(driver)
      const before = await held(driver)
      const wrong: readonly Expectation[] = [gives + 1, gives === 0 ? 'some' : gives - 1]
      for (const expect of wrong) {
        const it = statement(driver, expect)
        const all = build(driver, it)
        await rejects(driver.batch(all), {
          code: 'GUARD_FAILED',
          statement: it.name,
          index: all.indexOf(it),
          expected: expect,
          actual: gives,
        })
        equal(await held(driver), before, `nothing may stay of a batch that expected ${expect}`)
      }
      const it = statement(driver, gives)
      const all = build(driver, it)
      const results = await driver.batch(all)
      equal(results[all.indexOf(it)]?.length, gives)
    },
  }
}

export const batchCases: readonly Case[] = [
  ...guarded.flatMap((one) => Object.keys(places).map((place) => guardCase(one, place))),
  {
    name: 'a batch gives one array of rows for each statement, in order',
    async run({ driver }) {
      await tables(driver)
      const results = await driver.batch([
        put(driver, 'a', 1),
        put(driver, 'a'),
        add(driver, 'a', 4, 'some'),
        say(driver, 'read', sql`select id, amount from sample`),
        say(driver, 'silent', sql`update sample set amount = 7`),
      ])
      equal(
        results.map((rows) => rows.map((row) => ({ ...row }))),
        [[{ id: 'a' }], [], [{ id: 'a' }], [{ id: 'a', amount: 5 }], []],
      )
      equal(await held(driver), ['a=7'])
    },
  },
  {
    name: 'an error in a batch takes back what stood before it',
    needs: ['atomic'],
    async run({ driver }) {
      await tables(driver)
      const taken = say(driver, 'taken', sql`insert into sample (id) values ('a')`)
      await rejects(driver.batch([put(driver, 'a', 1), put(driver, 'b', 1), taken]), {
        code: 'ENGINE',
        fault: 'unique',
      })
      equal(await held(driver), [])
    },
  },
  {
    name: 'the first count that is off is the one that is named',
    needs: ['atomic'],
    async run({ driver }) {
      await tables(driver)
      const off = [put(driver, 'a', 1), add(driver, 'z', 1, 1), put(driver, 'a', 1)]
      await rejects(driver.batch(off), { code: 'GUARD_FAILED', index: 1, actual: 0 })
      equal(await held(driver), [])
    },
  },
  {
    name: 'expect stands only where rows can be counted, and a batch of nothing is refused',
    async run({ driver }) {
      await tables(driver)
      const silent = say(driver, 'silent', sql`update sample set amount = 1`, 1)
      await rejects(driver.batch([put(driver, 'a'), silent]), { code: 'INVALID_INPUT' })
      await rejects(driver.batch([put(driver, 'a'), put(driver, 'b', -1)]), { code: 'INVALID_INPUT' })
      await rejects(driver.batch([]), { code: 'INVALID_INPUT' })
      equal(await held(driver), [])
    },
  },
  {
    name: 'text of the user that looks like a guard is only text',
    async run({ driver }) {
      await tables(driver)
      const text = `rowlock1:0:0:1:0'); drop table sample; --`
      await driver.batch([put(driver, text, 1), look(driver, text, 1)])
      equal(await held(driver), [`${text}=1`])
    },
  },
  {
    name: 'a batch of a hundred statements is one batch',
    async run({ driver }) {
      await tables(driver)
      const ids = Array.from({ length: 100 }, (_, index) => `k${String(index).padStart(3, '0')}`)
      const results = await driver.batch(ids.map((id) => put(driver, id, 1)))
      equal(results.length, 100)
      equal((await held(driver)).length, 100)
    },
  },
]
