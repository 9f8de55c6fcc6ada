import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remind } from '../../src/deliveries/reminders.ts'
import { ask, HOUR, MINUTE, openHub, rows, type TestHub } from '../hub.ts'
import { destination } from './receiver.ts'
import { deliver, fallSilent, livenessOf, told } from './watched.ts'

const DAY = 24 * HOUR
const nothing = { queued: 0, cancelled: 0 }
const url = (name: string) => `https://hooks.example.com/${name}`

/** A device that is down, and people who were told so. */
async function openDown(...names: readonly string[]) {
  const here = await openHub()
  const ids: string[] = []
  for (const name of names) ids.push(await destination(here, { url: url(name) }))
  const liveness = livenessOf(here)
  await fallSilent(here, liveness, { tv: ['floor-3'] })
  await deliver(here)
  assert.deepEqual(
    told(here),
    names.map((name) => `subject.down tv ${name}`),
  )
  return { here, liveness, ids }
}

const unsent = (here: TestHub) =>
  rows(here, `select state from rowlock_outbox where topic like '%still-down'`).map(({ state }) => state)

test('whoever was told is reminded after an hour and after a day, once each', async () => {
  const { here } = await openDown('a', 'b')
  here.now += HOUR - 1
  assert.deepEqual(await remind(here.hub), nothing)
  here.now += 1
  assert.deepEqual(await remind(here.hub), { queued: 2, cancelled: 0 })
  await deliver(here)
  assert.deepEqual(told(here), ['subject.still-down tv a', 'subject.still-down tv b'])
  here.now += DAY - HOUR - 1
  assert.deepEqual(await remind(here.hub), nothing)
  here.now += 1
  assert.deepEqual(await remind(here.hub), { queued: 2, cancelled: 0 })
  await deliver(here)
  assert.deepEqual(told(here), ['subject.still-down tv a', 'subject.still-down tv b'])
  here.now += 10 * DAY
  assert.deepEqual(await remind(here.hub), nothing)
})

test('a reminder tells which outage, since when, and which reminder it is', async () => {
  const { here } = await openDown('a')
  const [outage] = rows(here, 'select id, started_at from rowlock_downtimes')
  here.now += HOUR
  await remind(here.hub)
  await deliver(here)
  const { type, data } = JSON.parse(String(here.posts[0]?.body))
  assert.deepEqual(
    [type, data.downtime, data.startedAt, data.reminder, data.tags],
    ['subject.still-down', outage?.id, new Date(Number(outage?.started_at)).toISOString(), '1h', ['floor-3']],
  )
  assert.equal(
    here.posts[0]?.headers['webhook-id'],
    `remind:${outage?.id}:1h:${rows(here, 'select id from rowlock_destinations')[0]?.id}`,
  )
})

test('many that remind at once put each reminder on its way once', async () => {
  const { here } = await openDown('a', 'b')
  here.now += HOUR
  const all = await Promise.all(Array.from({ length: 8 }, () => remind(here.hub)))
  assert.equal(
    all.reduce((sum, { queued }) => sum + queued, 0),
    2,
  )
  await deliver(here)
  assert.equal(told(here).length, 2)
})

test('what is over is not reminded of', async () => {
  const { here, liveness } = await openDown('a')
  here.now += HOUR - 1
  await liveness.beat('tv')
  here.now += DAY
  assert.deepEqual(await remind(here.hub), nothing)
  await deliver(here)
  assert.deepEqual(told(here), ['subject.up tv a'])
})

test('a reminder that has not gone out when the outage ends is taken back; one that has is followed by the end', async () => {
  const { here, liveness } = await openDown('a')
  here.now += HOUR
  await remind(here.hub)
  await liveness.beat('tv')
  assert.deepEqual(await remind(here.hub), { queued: 0, cancelled: 1 })
  assert.deepEqual(unsent(here), ['cancelled'])
  await deliver(here)
  assert.deepEqual(told(here), ['subject.up tv a'])

  const later = await openDown('b')
  later.here.now += HOUR
  await remind(later.here.hub)
  later.here.reply = () => ({ status: 503, retryAfter: null })
  await later.here.hub.courier.round()
  await later.liveness.beat('tv')
  assert.deepEqual(await remind(later.here.hub), nothing)
  later.here.reply = () => ({ status: 200, retryAfter: null })
  told(later.here)
  later.here.now += HOUR
  await later.here.hub.courier.round()
  await later.here.hub.courier.round()
  assert.deepEqual(
    later.here.posts.map(({ body }) => JSON.parse(body).type),
    ['subject.still-down', 'subject.up'],
  )
})

test('nobody is reminded of what they have not been told; who could not be told is', async () => {
  for (const [status, reminded] of [
    [503, 0],
    [404, 1],
  ] as const) {
    const here = await openHub()
    await destination(here, { url: url('a') })
    here.reply = () => ({ status, retryAfter: '86400' })
    await fallSilent(here, livenessOf(here), { tv: [] })
    await deliver(here)
    here.now += 2 * HOUR
    assert.deepEqual(await remind(here.hub), { queued: reminded, cancelled: 0 }, String(status))
  }
})

test('not in maintenance, not where it is not wanted any more, and a missed first one is not made up for', async () => {
  for (const [what, change] of [
    ['off', (here: TestHub, id: string) => ask(here, `PATCH /api/destinations/${id}`, { enabled: false })],
    ['removed', (here: TestHub, id: string) => ask(here, `DELETE /api/destinations/${id}`)],
    ['issues', (here: TestHub, id: string) => ask(here, `PATCH /api/destinations/${id}`, { only: 'issues' })],
    [
      'tags',
      (here: TestHub, id: string) => ask(here, `PATCH /api/destinations/${id}`, { tags: ['floor-4'] }),
    ],
  ] as const) {
    const { here, ids } = await openDown('a')
    await change(here, String(ids[0]))
    here.now += HOUR
    assert.deepEqual(await remind(here.hub), nothing, what)
  }
  const { here, liveness } = await openDown('a')
  await liveness.register('tv', { maintenanceUntil: here.now + 3 * HOUR })
  here.now += HOUR
  assert.deepEqual(await remind(here.hub), nothing)
  here.now += 2 * HOUR
  assert.deepEqual(await remind(here.hub), { queued: 1, cancelled: 0 })

  const asleep = await openDown('a')
  asleep.here.now += 3 * DAY
  assert.deepEqual(await remind(asleep.here.hub), { queued: 1, cancelled: 0 })
  assert.deepEqual(
    rows(
      asleep.here,
      `select payload ->> 'reminder' as stage from rowlock_outbox where topic = 'subject.still-down'`,
    ),
    [{ stage: '1d' }],
  )
})

test('a reminder stays one when its row is old: what was told is forgotten first', async () => {
  const { here } = await openDown('a')
  here.now += HOUR
  await remind(here.hub)
  await deliver(here)
  here.now += 30 * DAY
  await here.hub.outbox.sweep({ retention: 30 * DAY })
  told(here)
  for (let day = 0; day < 3; day++) {
    await remind(here.hub)
    await deliver(here)
    here.now += DAY
    await here.hub.outbox.sweep({ retention: 30 * DAY })
  }
  assert.deepEqual(told(here), [])
})

test('outages that were told as one: reminders tell how many last, and the end is told when the last is over', async () => {
  const here = await openHub()
  await destination(here, { url: url('a') })
  const liveness = livenessOf(here, { mass: { share: 0.5, least: 5, holdTicks: 0 } })
  const names = Array.from({ length: 30 }, (_, n) => `tv-${String(n).padStart(2, '0')}`)
  await fallSilent(here, liveness, Object.fromEntries(names.map((name) => [name, []])))
  await deliver(here)
  assert.deepEqual(told(here), ['fleet.down 30 a'])

  for (const name of names.slice(0, 5)) await liveness.beat(name)
  here.now += HOUR
  assert.deepEqual(await remind(here.hub), { queued: 1, cancelled: 0 })
  await deliver(here)
  const { data } = JSON.parse(String(here.posts[0]?.body))
  assert.deepEqual([data.mass.count, data.mass.of, data.mass.subjects], [25, 30, names.slice(5, 25)])
  assert.deepEqual(told(here), ['fleet.still-down 25 a'])

  for (const name of names.slice(5, 29)) await liveness.beat(name)
  assert.deepEqual(await remind(here.hub), nothing)
  await liveness.beat('tv-29')
  assert.deepEqual(await remind(here.hub), { queued: 1, cancelled: 0 })
  here.now += MINUTE
  assert.deepEqual(await remind(here.hub), nothing)
  await deliver(here)
  assert.deepEqual(told(here), ['fleet.up 30 a'])
})

test('outages that were told as one and are over before anybody heard of them are told to nobody', async () => {
  const here = await openHub()
  await destination(here, { url: url('a') })
  const liveness = livenessOf(here, { mass: { share: 0.5, least: 5, holdTicks: 0 } })
  const names = ['a', 'b', 'c', 'd', 'e']
  await fallSilent(here, liveness, Object.fromEntries(names.map((name) => [name, []])))
  for (const name of names) await liveness.beat(name)
  assert.deepEqual(await remind(here.hub), { queued: 0, cancelled: 1 })
  await deliver(here)
  assert.deepEqual(told(here), [])
})
