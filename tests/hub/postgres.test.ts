import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { readConfig } from '../../packages/rowlock/src/config/index.ts'
import { openDatabase } from '../../packages/rowlock/src/database.ts'
import { createApp } from '../../packages/rowlock/src/http/app.ts'
import { createHub, type Hub } from '../../packages/rowlock/src/hub.ts'
import { sweep } from '../../packages/rowlock/src/retention.ts'
import { freshDatabase, testPostgres } from '../engines/postgres.ts'
import { type Client, clientOf, crowd, scenario } from './scenario.ts'

const server = await testPostgres()
after(() => server.stop())

const START = 1_800_000_000_000

interface Node {
  readonly hub: Hub
  readonly client: Client
}

/** Hubs on one database, as several nodes are; `clock` is theirs, or the database's is. */
async function nodes(context: TestContext, count: number, clock?: () => number): Promise<Node[]> {
  const { url, drop } = await freshDatabase(server)
  const { config } = readConfig({ flags: { db: url } })
  const databases = await Promise.all(Array.from({ length: count }, () => openDatabase(url)))
  context.after(async () => {
    await Promise.all(databases.map((database) => database.close()))
    await drop()
  })
  const send = async () => ({ status: 200, retryAfter: null })
  const hubs = databases.map(({ driver }) => createHub({ driver, config, clock, send, later: setImmediate }))
  // All start at once: one makes the tables, the first project and the token.
  const installed = await Promise.all(hubs.map((hub) => hub.install()))
  const tokens = installed.flatMap(({ firstToken }) => (firstToken === undefined ? [] : [firstToken.secret]))
  assert.equal(tokens.length, 1)
  const adminToken = String(tokens[0])
  return await Promise.all(
    hubs.map(async (hub) => {
      const app = createApp({ hub, driver: hub.ground.driver, config })
      return {
        hub,
        client: await clientOf({ adminToken, fetch: async (path, init) => await app.request(path, init) }),
      }
    }),
  )
}

test('the hub on PostgreSQL does what a hub does', async (context) => {
  const [node] = await nodes(context, 1)
  await scenario((node as Node).client)
})

test('three nodes, a crowd of senders with the same events: exact counts, one win each', async (context) => {
  const all = await nodes(context, 3)
  await crowd(all.map(({ client }) => client))
})

test('windows, reopening, deliveries and retention on PostgreSQL', async (context) => {
  let now = START
  const [node] = await nodes(context, 1, () => now)
  const { hub, client } = node as Node
  await client.ask('POST /api/destinations', { project: 1, url: 'https://hooks.example.com/a' })
  const wins = async () => (await client.send({ fingerprint: 'a', message: 'x' })).body.won
  assert.equal(await wins(), true)
  now += 3_600_000
  assert.equal(await wins(), false)
  now += 1
  assert.equal(await wins(), true)
  await client.ask('POST /api/issues/1-a/resolve')
  now += 5_001
  assert.equal(await wins(), true)
  assert.equal((await client.ask('GET /api/issues/1-a')).body.generation, 2)
  assert.equal(await hub.courier.round(), 3)
  assert.equal(await hub.courier.round(), 0)
  now += 100 * 24 * 3_600_000
  const swept = await sweep(hub)
  assert.deepEqual(swept, { seen: 4, rejected: 0, hours: 2, deliveries: 3, sessions: 0 })
})
