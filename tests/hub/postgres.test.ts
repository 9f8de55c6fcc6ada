import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sweep } from '../../packages/rowlock/src/retention.ts'
import { testPostgres } from '../engines/postgres.ts'
import { crowd, fleetCrowd } from './crowd.ts'
import { fleetScenario } from './fleet-scenario.ts'
import { type Node, nodes } from './nodes.ts'
import { scenario } from './scenario.ts'

const server = await testPostgres()
after(() => server.stop())

const START = 1_800_000_000_000

test('the hub on PostgreSQL does what a hub does', async (context) => {
  const [node] = await nodes(context, server, { count: 1 })
  await scenario((node as Node).client)
})

test('the fleet on PostgreSQL does what a fleet does', async (context) => {
  const [node] = await nodes(context, server, { count: 1 })
  await fleetScenario((node as Node).client)
})

test('three nodes, a crowd of senders with the same events: exact counts, one win each', async (context) => {
  const all = await nodes(context, server, { count: 3 })
  await crowd(all.map(({ client }) => client))
})

test('three nodes, a crowd of pings of one device: each is counted, one outage at a time', async (context) => {
  const all = await nodes(context, server, { count: 3 })
  await fleetCrowd(all.map(({ client }) => client))
})

test('windows, reopening, deliveries and retention on PostgreSQL', async (context) => {
  let now = START
  const [node] = await nodes(context, server, { count: 1, clock: () => now })
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
  const { uuid } = (await client.ask('POST /api/devices', { id: 'a' })).body
  await client.open(`/ping/${uuid}/fail`)
  await client.open(`/ping/${uuid}`)
  await client.ask('POST /api/check')
  await client.ask('DELETE /api/devices/a')
  // Three wins; the outage had ended before anybody was told.
  assert.equal(await hub.courier.round(), 3)
  assert.equal(await hub.courier.round(), 0)
  now += 3 * 366 * 24 * 3_600_000
  const swept = await sweep(hub)
  assert.deepEqual(swept, {
    ...{ seen: 4, rejected: 0, hours: 2, deliveries: 4, sessions: 0 },
    // Of a project without devices too; its pings went with the device.
    ...{ pings: 0, checks: 1, downtimes: 1 },
  })
})
