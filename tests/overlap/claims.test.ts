import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Driver, sql } from '@rowlock/core'
import { type AcquireOutcome, createClaims } from '@rowlock/core/claims'
import { statement } from '@rowlock/core/module'
import { type Actor, type Finished, overlap } from '@rowlock/core/testing'
import { overlapDatabase } from './connect.ts'

/**
 * Claims in transactions that overlap, where a statement can wait for another's transaction in its
 * middle: on PostgreSQL alone, and not seen by any order of whole statements.
 */

const database = await overlapDatabase()
after(() => database.drop())

const TTL = 100
const options = { ttl: TTL, lookFirst: false } as const

/** Nobody's row; a claim that is over at 2000; one that is held under token 1000. */
const beginnings = {
  'a new key': null,
  'a key whose window is over': { expires_at: 1999 },
  'a key that was freed': { claimed_at: null },
}

async function setup(driver: Driver, row: object | null): Promise<void> {
  const run = (text: ReturnType<typeof sql>) =>
    driver.execute(statement(driver.dialect, text, { name: 'setup' }))
  await createClaims(driver).install()
  await run(sql`create table if not exists log (number ${driver.dialect.identity}, token bigint)`)
  await run(sql`delete from rowlock_claims`)
  await run(sql`delete from log`)
  if (row === null) return
  const { claimed_at = 1000, expires_at = 5000 } = row as { claimed_at?: number | null; expires_at?: number }
  await run(
    sql`insert into rowlock_claims (key, claimed_at, expires_at, token, holder) values ('k', ${claimed_at}, ${expires_at}, 1000, 'zoe')`,
  )
}

const acquire =
  (holder: string, now = 2000): Actor =>
  (driver) =>
    createClaims(driver, options).acquire('k', { holder, now })

const outcomesOf = ({ outcomes }: Finished) =>
  Object.values(outcomes).flatMap((outcome) =>
    outcome.state === 'returned' ? [outcome.value as AcquireOutcome] : [],
  )

for (const [name, row] of Object.entries(beginnings)) {
  test(`${name}: of two that overlap one wins, and the other is told who`, async (context) => {
    const report = await overlap({
      connect: database.connect,
      setup: (driver) => setup(driver, row),
      actors: { a: acquire('anna'), b: acquire('ben') },
      invariant(finished) {
        const [winner, ...others] = outcomesOf(finished).filter((outcome) => outcome.won)
        assert.ok(winner?.won && others.length === 0)
        for (const outcome of outcomesOf(finished)) {
          if (!outcome.won) assert.ok(outcome.reason === 'held' && outcome.holder === winner.holder)
        }
      },
    })
    assert.ok(report.waited > 0, 'nobody ever waited')
    context.diagnostic(`${report.schedules} orders, in ${report.waited} somebody waited`)
  })
}

test('a batch under a guard and a takeover: whoever writes later has the larger token', async (context) => {
  const write = (driver: Driver, token: number) =>
    statement(driver.dialect, sql`insert into log (token) values (${token}) returning token`, {
      name: 'write',
      expect: 1,
    })
  const old = { key: 'k', token: 1000 }
  const report = await overlap({
    connect: database.connect,
    setup: (driver) => setup(driver, { expires_at: 1999 }),
    actors: {
      // Its clock still says that the claim is held: only the token can tell.
      async sleeper(driver) {
        const guard = createClaims(driver, options).guard(old, { now: 1999 })
        return driver.batch([guard, write(driver, old.token)]).then(
          () => 'written',
          (error: { code: string }) => error.code,
        )
      },
      async next(driver) {
        const claims = createClaims(driver, options)
        const claim = await claims.acquireOrThrow('k', { holder: 'next', now: 2000 })
        await driver.batch([claims.guard(claim, { now: 2000 }), write(driver, claim.token!)])
        return 'written'
      },
    },
    async invariant({ driver, outcomes }) {
      const text = sql`select token from log order by number`
      const rows = await driver.execute(statement(driver.dialect, text, { name: 'look' }))
      const tokens = rows.map((row) => Number(row.token))
      assert.deepEqual(
        tokens,
        [...tokens].sort((one, other) => one - other),
      )
      const { sleeper } = outcomes
      assert.ok(sleeper?.state === 'returned')
      assert.deepEqual(tokens, sleeper.value === 'written' ? [1000, 2001] : [2001])
    },
    observe: ({ outcomes }) => [String(outcomes.sleeper?.state === 'returned' && outcomes.sleeper.value)],
    mustSee: ['written', 'GUARD_FAILED'],
  })
  assert.ok(report.waited > 0)
  context.diagnostic(`${report.schedules} orders: ${JSON.stringify(report.observed)}`)
})

test('renewing and a takeover: one of them, and the row says which', async () => {
  const report = await overlap({
    connect: database.connect,
    setup: (driver) => setup(driver, { expires_at: 1999 }),
    actors: {
      renew: (driver) => createClaims(driver, options).renew({ key: 'k', token: 1000 }, { now: 1999 }),
      takeover: acquire('ben'),
    },
    async invariant({ driver, outcomes }) {
      const renewed =
        outcomes.renew?.state === 'returned' && (outcomes.renew.value as { renewed: boolean }).renewed
      const row = await createClaims(driver).inspect('k', { now: 2000 })
      assert.deepEqual([row?.token, row?.expiresAt], renewed ? [1000, 2099] : [2001, 2100])
    },
  })
  assert.ok(report.waited > 0)
})

test('many keys in opposite orders: each has one winner, and nobody dies of a deadlock', async () => {
  const many =
    (holder: string, keys: string[]): Actor =>
    (driver) =>
      createClaims(driver, options).acquireMany(keys, { holder, now: 2000 })
  const report = await overlap({
    connect: database.connect,
    setup: (driver) => setup(driver, { expires_at: 1999 }),
    actors: { a: many('anna', ['k', 'l', 'm']), b: many('ben', ['m', 'l', 'k']) },
    invariant({ outcomes }) {
      const answers = Object.values(outcomes).map((outcome) =>
        outcome.state === 'returned' ? (outcome.value as AcquireOutcome[]) : assert.fail(outcome.state),
      )
      assert.equal(answers.flat().filter((outcome) => outcome.won).length, 3)
    },
  })
  assert.ok(report.waited > 0)
})

test('existing rows claimed in a batch: each has one winner', async () => {
  const existing =
    (holder: string): Actor =>
    async (driver) => {
      const { claimExisting } = createClaims(driver, options).statements
      const [rows] = await driver.batch([claimExisting({ keys: ['k', 'none'], holder, now: 2000 })])
      return rows!.length
    }
  const report = await overlap({
    connect: database.connect,
    setup: (driver) => setup(driver, { expires_at: 1999 }),
    actors: { a: existing('anna'), b: existing('ben') },
    invariant({ outcomes }) {
      const won = Object.values(outcomes).map((outcome) => outcome.state === 'returned' && outcome.value)
      assert.deepEqual(won.sort(), [0, 1])
    },
  })
  assert.ok(report.waited > 0)
})

test('sweeping and a win: a row that was just won is never deleted', async () => {
  const report = await overlap({
    connect: database.connect,
    setup: (driver) => setup(driver, { expires_at: 1500 }),
    actors: {
      sweep: (driver) => createClaims(driver, options).sweep({ olderThan: 1, now: 2000 }),
      win: acquire('ben'),
    },
    async invariant({ driver, outcomes }) {
      assert.ok(outcomes.win?.state === 'returned' && (outcomes.win.value as AcquireOutcome).won)
      assert.equal((await createClaims(driver).inspect('k', { now: 2000 }))?.holder, 'ben')
    },
  })
  assert.ok(report.waited > 0)
})
