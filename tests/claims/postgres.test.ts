import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Claims, createClaims } from '@rowlock/core/claims'
import { postgres } from '@rowlock/core/postgres'
import pg from 'pg'
import { freshDatabase, testPostgres } from '../engines/postgres.ts'

/** What claims do inside a transaction of the caller's, and what losing costs, on PostgreSQL. */

const server = await testPostgres()
const database = await freshDatabase(server)
const pool = new pg.Pool({ connectionString: database.url, max: 8 })
const claims = createClaims(postgres(pool), { ttl: '1m', lookFirst: false })
await claims.install()

after(async () => {
  await pool.end()
  await database.drop()
  await server.stop()
})

/** Runs the work in a transaction that the caller opened, and commits it. */
async function inTransaction<T>(work: (inside: Claims, client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const inside = createClaims(postgres(client, { transaction: true }), { ttl: '1m', lookFirst: false })
    const result = await work(inside, client)
    await client.query('commit')
    return result
  } finally {
    client.release()
  }
}

const assignedId = 'select pg_current_xact_id_if_assigned() as id'

test('a loser is given no transaction id and writes nothing', async () => {
  await claims.acquire('busy')
  await inTransaction(async (inside, client) => {
    assert.equal((await inside.acquire('busy')).won, false)
    assert.deepEqual(
      (await inside.acquireMany(['busy'])).map(({ won }) => won),
      [false],
    )
    assert.equal((await client.query(assignedId)).rows[0].id, null)
    assert.equal((await inside.acquire('idle')).won, true)
    assert.notEqual((await client.query(assignedId)).rows[0].id, null)
  })
})

test('losing inside the caller’s transaction is a value, and the transaction goes on', async () => {
  // symfony #63967: a lost insert poisoned the transaction around it.
  await pool.query('create table orders (id text primary key)')
  await claims.acquire('order:1')
  await inTransaction(async (inside, client) => {
    await client.query(`insert into orders values ('before')`)
    assert.equal((await inside.acquire('order:1')).won, false)
    assert.equal((await inside.renew({ key: 'order:1', token: 1 })).renewed, false)
    const guard = inside.guard({ key: 'order:1', token: 1 })
    const driver = postgres(client, { transaction: true })
    const write = { name: 'write', text: `insert into orders values ('never')`, values: [] }
    await assert.rejects(driver.batch([write, guard]), { code: 'GUARD_FAILED' })
    await client.query(`insert into orders values ('after')`)
  })
  const { rows } = await pool.query('select id from orders order by id')
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['after', 'before'],
  )
})

test('a missing column inside the caller’s transaction undoes only the attempt', async () => {
  await pool.query('create table events (key text primary key, note text)')
  await inTransaction(async (_, client) => {
    await client.query(`insert into events (key) values ('before')`)
    const events = createClaims(postgres(client, { transaction: true }), { table: 'events', ttl: '1m' })
    assert.equal((await events.acquire('k')).won, true)
    assert.equal((await events.acquire('k')).won, false)
    await client.query(`update events set note = 'the transaction goes on' where key = 'k'`)
  })
  const { rows } = await pool.query(`select note from events where key = 'k'`)
  assert.equal(rows[0].note, 'the transaction goes on')
})

test('a claim that is taken late in an old transaction has its whole window before it', async () => {
  // ShedLock #3577: now() stands still from the start of the transaction, so the lease was born expired.
  const claim = await inTransaction(async (inside, client) => {
    const age = 'select (extract(epoch from clock_timestamp() - now()) * 1000)::float8 as ms'
    while ((await client.query(age)).rows[0].ms < 50);
    const { rows } = await client.query(
      'select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as at',
    )
    const taken = await inside.acquireOrThrow('late', { ttl: 20 })
    assert.ok(taken.token! >= rows[0].at, 'the window begins when the key is taken')
    return taken
  })
  assert.equal(claim.expiresAt, claim.token! + 20)
})

test('a win that is rolled back with the caller’s transaction is nobody’s win', async () => {
  const client = await pool.connect()
  await client.query('begin')
  const inside = createClaims(postgres(client, { transaction: true }), { ttl: '1m' })
  assert.equal((await inside.acquire('undone')).won, true)
  const outside = claims.acquire('undone')
  await client.query('rollback')
  client.release()
  assert.equal((await outside).won, true)
})

test('of 64 racers on 16 keys over eight connections each key has one winner, and losers see who', async () => {
  for (let key = 0; key < 16; key++) {
    const outcomes = await Promise.all(Array.from({ length: 64 }, () => claims.acquire(`race ${key}`)))
    const winner = outcomes.find((outcome) => outcome.won)
    for (const outcome of outcomes) {
      if (outcome.won) assert.equal(outcome, winner)
      else assert.ok(outcome.reason === 'held' && outcome.holder === winner?.holder)
    }
  }
})
