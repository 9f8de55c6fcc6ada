import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Driver } from '@rowlock/core'
import { createOutbox } from '@rowlock/core/outbox'
import { postgres } from '@rowlock/core/postgres'
import { type Actor, type Finished, mutants, overlap } from '@rowlock/core/testing'
import pg from 'pg'
import { overlapDatabase } from './connect.ts'

/** Workers who lease at once, in transactions that overlap. */

const database = await overlapDatabase()
after(() => database.drop())

type Wrap = (driver: Driver) => Driver

const lease =
  (wrap: Wrap): Actor =>
  async (driver) => {
    const outcome = await createOutbox(wrap(driver)).lease({ limit: 1, ttl: 100, now: 1000 })
    return outcome.ok ? outcome.messages.map(({ dedupKey }) => dedupKey) : outcome.reason
  }

const keysIn = ({ outcomes }: Finished) =>
  Object.values(outcomes).map((outcome) =>
    outcome.state === 'returned' ? String(outcome.value) : outcome.state,
  )

/** Messages of these keys, due at 1000; `in order` ones must be sent one after the other. */
const messages =
  (keys: readonly string[], orderingKey: string | null) =>
  async (driver: Driver): Promise<void> => {
    const outbox = createOutbox(driver)
    await outbox.install()
    await driver.execute({ name: 'setup', text: 'truncate rowlock_outbox restart identity', values: [] })
    const rows = keys.map((dedupKey) => ({
      topic: 't',
      destination: 'd',
      dedupKey,
      orderingKey,
      payload: null,
    }))
    await outbox.enqueue(rows, { now: 1000 })
  }

const asTheyAre: Wrap = (driver) => driver

const scenarios = {
  async 'a message for each of three: each has one, and nobody waits'(wrap: Wrap) {
    const report = await overlap({
      actors: { a: lease(wrap), b: lease(wrap), c: lease(wrap) },
      connect: database.connect,
      setup: messages(['one', 'two', 'three'], null),
      invariant: (finished) => assert.deepEqual(keysIn(finished).sort(), ['one', 'three', 'two']),
    })
    assert.equal(report.waited, 0)
    return report
  },
  async 'one message for two: one has it'(wrap: Wrap) {
    return overlap({
      actors: { a: lease(wrap), b: lease(wrap) },
      connect: database.connect,
      setup: messages(['one'], null),
      invariant: (finished) => assert.deepEqual(keysIn(finished).sort(), ['', 'one']),
    })
  },
  async 'two messages in order for two: the first only'(wrap: Wrap) {
    return overlap({
      actors: { a: lease(wrap), b: lease(wrap) },
      connect: database.connect,
      setup: messages(['first', 'second'], 'k'),
      invariant: (finished) => assert.deepEqual(keysIn(finished).sort(), ['', 'first']),
    })
  },
}

for (const [name, run] of Object.entries(scenarios)) {
  test(name, async () => {
    const { schedules } = await run(asTheyAre)
    console.log(`# overlap, ${name}: ${schedules} orders`)
  })
}

test('without its row lock, or without SKIP LOCKED, leasing is found to be wrong', async () => {
  const pool = new pg.Pool()
  const driver = postgres(pool)
  const statement = createOutbox(driver).statements.lease({ limit: 1, ttl: 100, now: 1000 })
  await pool.end()
  const locks = mutants({ statements: [statement], batches: [] }, { dialect: driver.dialect }).filter(
    ({ kind }) => kind === 'drop-lock' || kind === 'drop-skip-locked',
  )
  assert.deepEqual(
    locks.map(({ kind }) => kind),
    ['drop-lock', 'drop-skip-locked'],
  )
  for (const mutant of locks) {
    let killed = false
    for (const run of Object.values(scenarios)) {
      killed ||= await run((given) => mutant.apply(given)).then(
        () => false,
        () => true,
      )
    }
    assert.ok(killed, `survived: ${mutant.id}`)
  }
})
