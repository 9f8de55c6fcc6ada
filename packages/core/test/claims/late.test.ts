import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClaims } from '../../src/claims/index.ts'
import type { Driver, Row, Statement } from '../../src/port/driver.ts'
import { sql, statement } from '../../src/port/sql.ts'
import { fakeTimers, freshDriver } from './given.ts'

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

test('a window that is over when its statement ends is no win: the key is claimed again', async () => {
  const { driver, sent } = waiting(await freshDriver(), 'claims.acquire')
  const claims = createClaims(driver, { ttl: 100, lookFirst: false })
  assert.deepEqual(await claims.acquire('k', { holder: 'anna', now: 1000 }), {
    won: true,
    key: 'k',
    token: 1001,
    holder: 'anna',
    expiresAt: 1100,
    from: 'again',
  })
  assert.deepEqual(sent, ['claims.acquire', 'claims.look', 'claims.acquire'])
})

test('no companion is kept for such a win', async () => {
  const plain = await freshDriver()
  const run = (text: ReturnType<typeof sql>) =>
    plain.execute(statement(plain.dialect, text, { name: 'test' }))
  await run(sql`create table notes (holder text)`)
  for (const name of ['claims.acquire', 'claims.acquireMany']) {
    const { driver, sent } = waiting(plain, name)
    const claims = createClaims(driver, { ttl: 100, lookFirst: false })
    const note = sql`insert into notes (holder) select holder from rowlock_claims where holder = ${name} returning holder`
    const also = [statement(plain.dialect, note, { name: 'note' })]
    const call = { holder: name, also, now: 1000 }
    const [outcome] =
      name === 'claims.acquire' ? [await claims.acquire(name, call)] : await claims.acquireMany([name], call)
    assert.ok(outcome?.won)
    assert.equal(outcome.from, 'first', 'the late win was undone')
    assert.equal(sent.filter((each) => each === 'note').length, 2)
    assert.equal((await run(sql`select holder from notes where holder = ${name}`)).length, 1)
  }
})

test('of many keys, those that were won too late are claimed again', async () => {
  const { driver } = waiting(await freshDriver(), 'claims.acquireMany')
  const claims = createClaims(driver, { ttl: 100, lookFirst: false })
  const outcomes = await claims.acquireMany(['a', 'b'], { now: 1000 })
  assert.deepEqual(
    outcomes.map((outcome) => outcome.won && outcome.token),
    [1001, 1001],
  )
})

test('waiting never gives a claim that was over before it arrived', async () => {
  const plain = await freshDriver()
  const { timers, pass } = fakeTimers()
  const slow = {
    ...plain,
    async execute(given: Statement) {
      const rows = await plain.execute(given)
      if (given.name === 'claims.acquire' && timers.elapsed() === 0) await timers.sleep(500)
      return rows
    },
  }
  const clock = () => 1_700_000_000_000 + timers.elapsed()
  const claims = createClaims(slow, { ttl: 100, timers, clock, lookFirst: false })
  const waited = claims.wait('k')
  await pass(1000)
  const claim = await waited
  assert.ok(claim.won)
  assert.ok(claim.expiresAt >= 1_700_000_000_000 + 500 + 100, 'it is one of a later try')
})
