import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { GuardError, SchemaError } from '@rowlock/core'
import { postgres } from '@rowlock/core/postgres'
import { conformance, type Engine, suites } from '@rowlock/core/testing'
import pg from 'pg'
import { freshDatabase, testPostgres } from '../engines/postgres.ts'

const server = await testPostgres()
after(() => server.stop())

const put = (key: string, expect?: number) => ({
  name: 'test.put',
  text: 'insert into t (key) values ($1) on conflict do nothing returning key',
  values: [key],
  ...(expect !== undefined && { expect }),
})

test("inside the caller's transaction losing, a failed guard and a missing column poison nothing", async (t) => {
  const { url, drop } = await freshDatabase(server)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(async () => {
    await client.end()
    await drop()
  })
  await client.query('create table t (key text primary key)')
  await client.query('begin')
  const driver = postgres(client, { transaction: true })
  await driver.execute(put('a'))
  assert.deepEqual(await driver.execute(put('a')), [])
  await assert.rejects(driver.batch([put('b', 1), put('a', 1)]), GuardError)
  await assert.rejects(
    driver.execute({ name: 'test.it', text: 'select nope from t', values: [] }),
    SchemaError,
  )
  await Promise.all([
    driver.batch([put('c', 1), put('d', 1)]),
    driver.execute(put('e')),
    driver.execute(put('a')),
  ])
  await client.query('commit')
  const { rows } = await client.query('select key from t order by key')
  assert.deepEqual(
    rows.map(({ key }) => key),
    ['a', 'c', 'd', 'e'],
  )
})

/** All of a case in one transaction of the caller's, which is rolled back at the end. */
const transaction: Engine = {
  name: "PostgreSQL, the caller's transaction",
  lacks: { peer: 'a transaction belongs to one connection', crash: 'it would end the transaction' },
  async open() {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query('begin')
    await client.query('create schema mine')
    await client.query('set local search_path = mine')
    return {
      driver: postgres(client, { transaction: true }),
      async dispose() {
        await client.query('rollback')
        await client.end()
      },
    }
  },
}
conformance(transaction, { test, suites: suites.filter(({ name }) => name === 'driver') })
