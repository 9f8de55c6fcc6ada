import type { Driver, Row, Statement } from '../../../port/driver.ts'
import { sql, statement } from '../../../port/sql.ts'
import { equal } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { claimsOn, query, won } from './given.ts'

/**
 * A driver whose first `name` computes its row 200 ms before the rest of the statement: what happens
 * on PostgreSQL to an insert that waits for somebody's transaction.
 */
function waiting(driver: Driver, name: string): { driver: Driver; sent: string[] } {
  const sent: string[] = []
  let waited = false
  const early = (given: Statement): Statement => {
    sent.push(given.name)
    if (given.name !== name || waited) return given
    waited = true
    return { ...given, values: given.values.map((value) => (value === 1000 ? 800 : value)) }
  }
  const late = (rows: Row[]) => rows.map((row) => (row.judged_at === 800 ? { ...row, judged_at: 1000 } : row))
  return {
    sent,
    driver: {
      ...driver,
      execute: async (given) => late(await driver.execute(early(given))),
      batch: async (given) => (await driver.batch(given.map(early))).map(late),
    },
  }
}

export const lateCases: readonly Case[] = [
  {
    name: 'a window that is over when its statement ends is no win: the key is claimed again',
    async run({ driver }) {
      const one = waiting(driver, 'claims.acquire')
      const claim = won(await claimsOn(one.driver).acquire('k', { now: 1000 }))
      equal([claim.token, claim.expiresAt, claim.from], [1001, 1100, 'again'])
      equal(one.sent, ['claims.acquire', 'claims.look', 'claims.acquire'])
      const many = waiting(driver, 'claims.acquireMany')
      const outcomes = await claimsOn(many.driver).acquireMany(['a', 'b'], { now: 1000 })
      equal(
        outcomes.map((outcome) => won(outcome).token),
        [1001, 1001],
      )
    },
  },
  {
    name: 'no companion is kept for such a win',
    needs: ['atomic'],
    async run({ driver }) {
      await query(driver, sql`create table notes (holder text)`)
      await query(
        driver,
        sql`insert into rowlock_claims (key, claimed_at, expires_at, holder) values ('other', 1, 2, 'zoe')`,
      )
      for (const name of ['claims.acquire', 'claims.acquireMany']) {
        const late = waiting(driver, name)
        const claims = claimsOn(late.driver)
        const note = sql`insert into notes (holder) select holder from rowlock_claims where holder = ${name}`
        const also = [statement(driver.dialect, note, { name: 'note' })]
        const call = { holder: name, also, now: 1000 }
        const one = name === 'claims.acquire'
        const [outcome] = one ? [await claims.acquire(name, call)] : await claims.acquireMany([name], call)
        equal(won(outcome!).from, 'first', 'the late win was undone')
        equal(late.sent.filter((each) => each === name).length, 2)
        equal((await query(driver, sql`select holder from notes where holder = ${name}`)).length, 1)
      }
    },
  },
  {
    name: 'companions are kept to the exact end of their win, whatever other rows there are',
    needs: ['atomic'],
    async run({ driver }) {
      const other = claimsOn(driver)
      await other.acquire('ends meanwhile', { holder: 'zoe', now: 800 })
      await other.acquire('long over', { holder: 'anna', ttl: 1, now: 100 })
      await query(driver, sql`create table notes (holder text)`)
      const note = sql`insert into notes (holder) select holder from rowlock_claims where holder = 'anna' and key = 'new'`
      const also = [statement(driver.dialect, note, { name: 'note' })]
      const late = waiting(driver, 'claims.acquireMany')
      const call = { holder: 'anna', ttl: 200, also, now: 1000 }
      const [won] = await claimsOn(late.driver).acquireMany(['new', 'ends meanwhile'], call)
      equal([won?.won, won?.won && won.expiresAt], [true, 1000])
      equal(
        late.sent.filter((name) => name !== 'claims.lookMany'),
        ['claims.acquireMany', 'claims.unexpired', 'note'],
      )
    },
  },
]
