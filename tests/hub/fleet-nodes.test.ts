import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testPostgres } from '../engines/postgres.ts'
import { type Node, nodes } from './nodes.ts'

const server = await testPostgres()
after(() => server.stop())

const MINUTE = 60_000

type Json = Record<string, unknown>

test('two nodes on one PostgreSQL check at once: the sum is exact, each outage is one alert', async (context) => {
  let now = 1_800_000_000_000
  let told: string[] = []
  const all = await nodes(context, server, {
    count: 2,
    clock: () => now,
    async send({ url, body }) {
      const { type, data } = JSON.parse(body)
      told.push(`${type} ${data.subject ?? data.mass.count} ${url.at(-1)}`)
      return { status: 200, retryAfter: null }
    },
  })
  const [{ client }] = all as [Node, Node]
  for (const url of ['https://hooks.example.com/A', 'https://hooks.example.com/B']) {
    assert.equal((await client.ask('POST /api/destinations', { project: 1, url })).status, 201)
  }
  const ids = Array.from({ length: 20 }, (_, n) => `d${10 + n}`)
  const csv = `id,period,grace\n${ids.map((id) => `${id},4m,1m\n`).join('')}`
  assert.equal((await client.upload('POST /api/import', 'text/csv', csv)).body.created, ids.length)
  const { devices } = (await client.ask('GET /api/devices?limit=50')).body as { devices: Json[] }
  const address = new Map(devices.map(({ id, uuid }) => [id, `/ping/${uuid}`]))

  /** Both nodes hear of each device at the same time. */
  const beat = (from: number, to = ids.length) =>
    Promise.all(
      ids.slice(from, to).flatMap((id) => all.map((node) => node.client.open(String(address.get(id))))),
    )
  /** Both nodes check at the same instant, several times each: the sums of what they say. */
  const check = async () => {
    const answers = await Promise.all([...all, ...all].map((node) => node.client.ask('POST /api/check')))
    const checks = answers.flatMap(({ body }) => body.checks as Record<string, number>[])
    const sum = (name: string) => checks.reduce((total, one) => total + Number(one[name]), 0)
    return { opened: sum('opened'), closed: sum('closed'), alertsQueued: sum('alertsQueued') }
  }
  const messages = async () => {
    while ((await Promise.all(all.map(({ hub }) => hub.courier.round()))).some((sent) => sent > 0));
    const found = told.sort()
    told = []
    return found
  }
  const outages = async () =>
    (await client.ask('GET /api/downtimes?limit=200')).body.downtimes as { endedAt: string | null }[]

  await beat(0)
  for (let round = 1; round <= 3; round++) {
    for (let minute = 0; minute < 4; minute++) {
      now += MINUTE
      await beat(4)
      assert.deepEqual(await check(), { opened: 0, closed: 0, alertsQueued: 0 })
    }
    now += MINUTE
    await beat(4)
    assert.deepEqual(await check(), { opened: 4, closed: 0, alertsQueued: 8 })
    assert.deepEqual(
      await messages(),
      ids.slice(0, 4).flatMap((id) => [`subject.down ${id} A`, `subject.down ${id} B`]),
    )
    await beat(0, 4)
    assert.deepEqual(await check(), { opened: 0, closed: 0, alertsQueued: 0 })
    assert.deepEqual(
      await messages(),
      ids.slice(0, 4).flatMap((id) => [`subject.up ${id} A`, `subject.up ${id} B`]),
    )
    assert.equal((await outages()).length, 4 * round)
    // Long enough that the next outage is no part of this one.
    for (let minute = 0; minute < 12; minute++) {
      now += MINUTE
      await beat(0)
      await check()
    }
  }

  // All fall silent at once: each is an outage, and it is told as one.
  let opened = 0
  for (let minute = 0; minute < 12; minute++) {
    now += MINUTE
    opened += (await check()).opened
  }
  assert.equal(opened, ids.length)
  assert.deepEqual(await messages(), ['fleet.down 20 A', 'fleet.down 20 B'])
  assert.equal((await outages()).filter(({ endedAt }) => endedAt === null).length, ids.length)
  await beat(0)
  now += MINUTE
  await Promise.all(all.map(({ hub }) => hub.fleet.checker.tick()))
  assert.deepEqual(await messages(), ['fleet.up 20 A', 'fleet.up 20 B'])
  assert.equal((await outages()).length, 12 + ids.length)

  let recorded = 0
  for (let cursor: unknown = ''; cursor !== null; ) {
    const { body } = await client.ask(`GET /api/checks?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`)
    for (const { opened } of body.checks as { opened: number }[]) recorded += opened
    cursor = body.next
  }
  assert.equal(recorded, 12 + ids.length, 'what the checks wrote down is what is there')
})
