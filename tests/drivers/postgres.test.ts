import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { EngineError, grouped, UnavailableError } from '@rowlock/core'
import { type PostgresOptions, postgres } from '@rowlock/core/postgres'
import pg from 'pg'
import { freshDatabase, testPostgres } from '../engines/postgres.ts'

const server = await testPostgres()
after(() => server.stop())

/** A database with the table `t`, and a driver over a pool of its own. */
async function open(t: TestContext, settings: pg.PoolConfig = {}, options: PostgresOptions = {}) {
  const { url, drop } = await freshDatabase(server)
  const pool = new pg.Pool({ connectionString: url, max: 6, ...settings })
  const admin = new pg.Pool({ connectionString: url, max: 1 })
  t.after(async () => {
    await pool.end().catch(() => {}) // A test may have ended it.
    await admin.end()
    await drop()
  })
  await admin.query('create table t (key text primary key, amount bigint not null)')
  const keys = async () => (await admin.query('select key from t order by key')).rows.map((row) => row.key)
  return { pool, admin, url, driver: postgres(pool, options), keys }
}

const put = (key: string, expect?: number) => ({
  name: 'test.put',
  text: 'insert into t (key, amount) values ($1, 1) on conflict do nothing returning key',
  values: [key],
  ...(expect !== undefined && { expect }),
})
const add = (key: string) => ({
  name: 'test.add',
  text: 'update t set amount = amount + 1 where key = $1 returning amount',
  values: [key],
  expect: 1,
})
const say = (text: string) => ({ name: 'test.it', text, values: [] })
const unavailable = (applied: 'no' | 'unknown') => (error: unknown) =>
  error instanceof UnavailableError && error.applied === applied

test('batches that lock in opposite orders deadlock, are tried again, and all get through', async (t) => {
  const { pool, admin } = await open(t, { options: '-c deadlock_timeout=20' })
  let rolledBack = 0
  const driver = postgres({
    query: (query) => pool.query(query),
    on: () => {},
    off: () => {},
    async connect() {
      const client = await pool.connect()
      return {
        on: (event, listener) => client.on(event, listener),
        off: (event, listener) => client.off(event, listener),
        release: (destroy) => client.release(destroy),
        query(query) {
          if (query.text === 'rollback') rolledBack += 1
          return client.query(query)
        },
      }
    },
  })
  await driver.batch([put('a', 1), put('b', 1)])
  let rounds = 0
  while (rolledBack === 0 && rounds < 50) {
    rounds += 1
    const orders = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? ['a', 'b'] : ['b', 'a']))
    await Promise.all(orders.map((order) => driver.batch(order.map(add))))
  }
  assert.ok(rolledBack > 0, 'no deadlock was seen')
  const amount = 1 + rounds * 12
  const { rows } = await admin.query('select key, amount::int from t order by key')
  assert.deepEqual(rows, [
    { key: 'a', amount },
    { key: 'b', amount },
  ])
})

test('where the default isolation is stricter, losers are still answered', async (t) => {
  for (const isolation of ['repeatable\\ read', 'serializable']) {
    const { driver } = await open(t, { options: `-c default_transaction_isolation=${isolation}` })
    const wins = await Promise.all(
      Array.from({ length: 24 }, (_, index) => driver.execute(put(`k${index % 3}`))),
    )
    assert.equal(wins.filter((rows) => rows.length === 1).length, 3)
    const moves = await Promise.allSettled(
      Array.from({ length: 12 }, () => driver.batch([add('k0'), add('k1')])),
    )
    assert.ok(moves.every(({ status }) => status === 'fulfilled'))
  }
})

test('a session ended in the middle of a batch has applied nothing, and the driver goes on', async (t) => {
  const { driver, keys } = await open(t)
  const end = say('select pg_terminate_backend(pg_backend_pid())')
  await assert.rejects(driver.batch([put('a', 1), end, put('b', 1)]), unavailable('no'))
  assert.deepEqual(await keys(), [])
  await driver.batch([put('c', 1)])
  assert.deepEqual(await keys(), ['c'])
})

test('a session ended in the middle of a single statement leaves it unknown', async (t) => {
  const { driver } = await open(t)
  await assert.rejects(
    driver.execute(say('select pg_terminate_backend(pg_backend_pid())')),
    unavailable('unknown'),
  )
  assert.equal((await driver.execute(put('a'))).length, 1)
})

test('a statement that ran into its time limit has applied nothing', async (t) => {
  const { driver } = await open(t, { statement_timeout: 20 })
  await assert.rejects(driver.execute(say('select pg_sleep(10)')), unavailable('no'))
})

test('a constraint that is checked at COMMIT takes the batch back', async (t) => {
  const { driver, admin, keys } = await open(t)
  await admin.query('create table child (parent text references t (key) deferrable initially deferred)')
  const orphan = say(`insert into child values ('nobody') returning parent`)
  await assert.rejects(driver.batch([put('a', 1), orphan]), (error) => {
    return error instanceof EngineError && error.fault === 'foreign-key'
  })
  assert.deepEqual(await keys(), [])
})

test('prepared statements outlive a changed column, and a pooler that forgets them', async (t) => {
  const { driver, admin, pool } = await open(t, { max: 1 }, { prepare: true })
  const read = say('select amount from t')
  await driver.execute(put('a'))
  assert.deepEqual(await driver.execute(read), [{ amount: 1 }])
  await admin.query('alter table t alter column amount type text')
  assert.deepEqual(await driver.execute(read), [{ amount: '1' }])
  await admin.query('alter table t alter column amount type bigint using amount::bigint')
  assert.deepEqual(await driver.batch([read]), [[{ amount: 1 }]])
  await pool.query('deallocate all')
  assert.deepEqual(await driver.execute(read), [{ amount: 1 }])
})

test('many callers of a pool that pipelines: one winner a key, and every error where it belongs', async (t) => {
  const { driver } = await open(t, { pipeline: true })
  const many = grouped(driver)
  const answers = await Promise.allSettled(
    Array.from({ length: 400 }, (_, index) =>
      index % 40 === 7 ? many.execute(say('select nope from t')) : many.execute(put(`k${index % 50}`)),
    ),
  )
  const won = answers.filter((answer) => answer.status === 'fulfilled' && answer.value.length === 1)
  const failed = answers.flatMap((answer, index) => (answer.status === 'rejected' ? [index] : []))
  assert.equal(won.length, 50)
  assert.deepEqual(
    failed,
    Array.from({ length: 10 }, (_, index) => index * 40 + 7),
  )
})

test('a pool that was ended has sent nothing', async (t) => {
  const { driver, pool } = await open(t)
  await pool.end()
  await assert.rejects(driver.execute(put('a')), unavailable('no'))
  await assert.rejects(driver.batch([put('a', 1)]), unavailable('no'))
})
