import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLiveness } from '@rowlock/core/liveness'
import { readConfig } from '../../packages/rowlock/src/config/index.ts'
import { openDatabase } from '../../packages/rowlock/src/database.ts'
import { remind } from '../../packages/rowlock/src/deliveries/reminders.ts'
import { alertDestinations } from '../../packages/rowlock/src/deliveries/statements/alerts.ts'
import { createHub } from '../../packages/rowlock/src/hub.ts'
import { freshDatabase, testPostgres } from '../engines/postgres.ts'

const server = await testPostgres()
after(() => server.stop())

const HOUR = 3_600_000
const devices = ['a', 'b', 'c', 'd', 'e', 'f']

test('alerts by tag, reminders and ends on PostgreSQL, with several nodes reminding at once', async (context) => {
  const { url: db, drop } = await freshDatabase(server)
  const databases = await Promise.all(Array.from({ length: 3 }, () => openDatabase(db)))
  context.after(async () => {
    await Promise.all(databases.map((database) => database.close()))
    await drop()
  })
  let now = 1_800_000_000_000
  let posts: string[] = []
  const { config } = readConfig({ flags: { db } })
  const hubs = databases.map(({ driver }) =>
    createHub({
      driver,
      config,
      clock: () => now,
      async send({ url, body }) {
        const { type, data } = JSON.parse(body)
        posts.push(`${type} ${data.subject ?? data.mass.count} ${url.at(-1)}`)
        return { status: 200, retryAfter: null }
      },
    }),
  )
  const [hub] = hubs
  assert.ok(hub)
  await hub.install()
  await hub.destinations.add(1, { url: 'https://hooks.example.com/A' })
  await hub.destinations.add(1, { url: 'https://hooks.example.com/T', tags: ['floor-3', '在庫'] })
  await hub.destinations.add(1, { url: 'https://hooks.example.com/I', only: 'issues' })
  const { driver } = hub.ground
  const liveness = createLiveness(driver, {
    scope: '1',
    clock: () => now,
    downAfter: '5m',
    every: '1d',
    mass: { share: 0.9, least: 4, holdTicks: 0 },
    announceTo: alertDestinations(driver.dialect),
  })
  const told = async () => {
    while ((await hub.courier.round()) > 0);
    const all = posts.sort()
    posts = []
    return all
  }
  const remindAll = async () => {
    const all = await Promise.all(hubs.map((each) => remind(each)))
    return [
      all.reduce((sum, { queued }) => sum + queued, 0),
      all.reduce((sum, { cancelled }) => sum + cancelled, 0),
    ]
  }
  const beat = async (ids: readonly string[]) => {
    for (const id of ids) {
      const outcome = await liveness.beat(id, { register: { tags: id === 'a' ? ['x', '在庫'] : [] } })
      assert.equal(outcome.ok, true)
    }
  }

  await beat(devices)
  now += 4 * 60_000
  await beat(devices.slice(2))
  now += 60_000
  await liveness.check()
  assert.deepEqual(await told(), ['subject.down a A', 'subject.down a T', 'subject.down b A'])
  assert.deepEqual(await remindAll(), [0, 0])
  now += HOUR
  await beat(devices.slice(1))
  assert.deepEqual(await told(), ['subject.up b A'])
  assert.deepEqual(await remindAll(), [2, 0])
  assert.deepEqual(await told(), ['subject.still-down a A', 'subject.still-down a T'])
  now += 23 * HOUR
  await beat(devices.slice(1))
  assert.deepEqual(await remindAll(), [2, 0])
  await beat(['a'])
  assert.deepEqual(await remindAll(), [0, 2])
  assert.deepEqual(await told(), ['subject.up a A', 'subject.up a T'])

  now += 5 * 60_000
  await liveness.check()
  assert.match((await told()).join(), /^fleet\.down 6 A(,fleet\.down \d T)?$/)
  await beat(devices.slice(2))
  now += HOUR
  await remindAll()
  assert.match((await told()).join(), /^fleet\.still-down 2 A(,fleet\.still-down \d T)?$/)
  await beat(devices)
  await remindAll()
  assert.match((await told()).join(), /^fleet\.up 6 A(,fleet\.up \d T)?$/)
  assert.deepEqual(await remindAll(), [0, 0])
})
