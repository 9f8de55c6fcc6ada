import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { type BeatOutcome, createLiveness } from '@rowlock/core/liveness'
import { createOutbox } from '@rowlock/core/outbox'
import { postgres } from '@rowlock/core/postgres'
import pg from 'pg'
import { freshDatabase, testPostgres } from '../engines/postgres.ts'

/** Checks and beats at once on PostgreSQL: many connections, transactions that are held open. */

let deadlocks = 0

/** Notes every deadlock, since the driver would quietly try again. */
class Watched extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    const query = this.query.bind(this) as (...call: unknown[]) => unknown
    const watched = (...call: unknown[]) => {
      const last = call.at(-1)
      if (typeof last === 'function') {
        call[call.length - 1] = (error: { code?: string } | null, result: unknown) => {
          note(error)
          last(error, result)
        }
      }
      const answer = query(...call)
      if (answer instanceof Promise) answer.catch(note)
      return answer
    }
    this.query = watched as typeof this.query
  }
}

function note(error: { code?: string } | null): void {
  if (error?.code === '40P01') deadlocks += 1
}

const server = await testPostgres()
const database = await freshDatabase(server)
const pool = new pg.Pool({
  connectionString: database.url,
  max: 16,
  Client: Watched,
  options: '-c deadlock_timeout=20ms',
})
const driver = postgres(pool)
const options = {
  downAfter: 100,
  every: 1_000_000,
  announceTo: ['ops'],
  mass: { share: 1, least: 100_000, holdTicks: 0 },
}
const liveness = createLiveness(driver, options)
const outbox = createOutbox(driver)
await outbox.install()
await liveness.install()

after(async () => {
  await pool.end()
  await database.drop()
  await server.stop()
})

beforeEach(async () => {
  const tables = ['outbox', 'subjects', 'downtimes', 'checks', 'checker', 'blind'].map(
    (name) => `rowlock_${name}`,
  )
  await pool.query(`truncate ${tables.join(', ')} restart identity`)
})

const names = (count: number) =>
  Array.from({ length: count }, (_, index) => `s${String(index).padStart(5, '0')}`)

async function fleet(ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += 500) {
    const some = ids.slice(from, from + 500).map((id) => ({ id }))
    await liveness.registerMany(some, { now: 1000 })
    await liveness.beatMany(some, { now: 1000 })
  }
}

const count = async (table: string, where = 'true') =>
  Number((await pool.query(`select count(*) as n from rowlock_${table} where ${where}`)).rows[0].n)

async function checked(now: number) {
  const outcome = await liveness.check({ now })
  assert.ok(outcome.ok)
  return outcome
}

test('a beat that is written and not committed while a check runs is no outage', async () => {
  await fleet(['a', 'b'])
  const client = await pool.connect()
  await client.query('begin')
  const inside = createLiveness(postgres(client, { transaction: true }), options)
  assert.ok((await inside.beat('a', { now: 1100 })).ok)
  const { newlyDown, opened, raced } = await checked(1100)
  await client.query('commit')
  client.release()
  assert.deepEqual([newlyDown, opened, raced], [2, 1, 1])
  assert.equal(await count('downtimes'), 1)
  assert.equal(await count('subjects', `state = 'up'`), 1)
})

test('a beat that is rolled back leaves its subject to the next check', async () => {
  await fleet(['a'])
  const client = await pool.connect()
  await client.query('begin')
  const inside = createLiveness(postgres(client, { transaction: true }), options)
  assert.ok((await inside.beat('a', { now: 1100 })).ok)
  assert.equal((await checked(1100)).opened, 0)
  await client.query('rollback')
  client.release()
  assert.equal((await checked(1101)).opened, 1)
})

test('eight checkers at once over 2,000 dead subjects open exactly 2,000 outages', async (context) => {
  await fleet(names(2000))
  const summaries = await Promise.all(Array.from({ length: 8 }, () => checked(1100)))
  // Whoever is locked by another checker is left to it, or to the next check.
  summaries.push(await checked(1101))
  const opened = summaries.map((summary) => summary.opened)
  const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0)
  assert.equal(sum(opened), 2000)
  assert.equal(sum(summaries.map(({ alertsQueued }) => alertsQueued)), 2000)
  assert.equal(await count('downtimes'), 2000)
  assert.equal(await count('downtimes', 'ended_at is null'), 2000)
  assert.equal(await count('subjects', `state = 'down'`), 2000)
  assert.equal(await count('outbox'), 2000)
  const records = (await pool.query('select sum(opened) as opened, sum(raced) as raced from rowlock_checks'))
    .rows[0]
  assert.equal(Number(records.opened), 2000)
  context.diagnostic(`opened: ${opened.join(' + ')}`)
})

test('in 15 rounds of checks against beats in opposite orders there is no deadlock', async (context) => {
  const ids = names(300)
  await fleet(ids)
  deadlocks = 0
  let opened = 0
  let closed = 0
  for (let round = 1; round <= 15; round += 1) {
    const now = 1000 + round * 100
    const forward = ids.slice(0, 200).map((id) => ({ id }))
    const backward = ids
      .slice(100)
      .reverse()
      .map((id) => ({ id }))
    const [one, other, ...beats] = await Promise.all([
      checked(now),
      checked(now),
      liveness.beatMany(forward, { now }),
      liveness.beatMany(backward, { now }),
      ...ids
        .slice(0, 40)
        .reverse()
        .map((id) => liveness.beat(id, { now })),
    ])
    opened += one.opened + other.opened
    closed += one.closed + other.closed
    for (const beat of beats as (BeatOutcome | Awaited<ReturnType<typeof liveness.beatMany>>)[]) {
      assert.ok(beat.ok)
      closed += Array.isArray(beat.closed) ? beat.closed.length : beat.closed === null ? 0 : 1
    }
    assert.equal(await count('subjects', `state = 'down'`), await count('downtimes', 'ended_at is null'))
  }
  assert.equal(deadlocks, 0)
  assert.equal(opened, await count('downtimes'))
  assert.equal(closed, await count('downtimes', 'ended_at is not null'))
  context.diagnostic(`15 rounds, ${opened} outages opened, ${closed} ended, 0 deadlocks`)
})

test('a beat that ends an outage while a check opens another one leaves no row open without its subject', async () => {
  await fleet(names(50))
  for (let round = 1; round <= 10; round += 1) {
    const now = 1000 + round * 100
    await Promise.all([checked(now), ...names(50).map((id) => liveness.beat(id, { now })), checked(now)])
    const orphans = await pool.query(`select count(*) as n from rowlock_downtimes d join rowlock_subjects s
      on s.id = d.subject_id where d.ended_at is null and s.state <> 'down'`)
    assert.equal(Number(orphans.rows[0].n), 0)
  }
  const open = await count('downtimes', 'ended_at is null')
  assert.equal(open, await count('subjects', `state = 'down'`))
})
