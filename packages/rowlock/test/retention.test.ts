import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sweep } from '../src/retention.ts'
import { ask, HOUR, openHub, rows, send } from './hub.ts'

const DAY = 24 * HOUR
const nothing = {
  seen: 0,
  rejected: 0,
  hours: 0,
  deliveries: 0,
  sessions: 0,
  pings: 0,
  checks: 0,
  downtimes: 0,
}
const event = { source: 'shop', message: 'stock ran out' }

test('what has been kept long enough goes, and counts stay', async () => {
  const here = await openHub({
    flags: { 'keep-hours': '2d', 'keep-rejected': '1d', 'keep-deliveries': '3d' },
  })
  await ask(here, 'POST /api/destinations', { project: 1, url: 'https://example.com/' })
  await send(
    here,
    Array.from({ length: 3 }, () => event),
  )
  here.database.exec(
    `insert into rowlock_rejected (project, event, reason, at) values (1, '{}', 'x', ${here.now})`,
  )
  await here.hub.courier.round()
  assert.deepEqual(await sweep(here.hub), nothing)

  here.now += DAY + 1
  await send(here, event)
  assert.deepEqual(await sweep(here.hub), { ...nothing, seen: 3, rejected: 1 })
  here.now += DAY + HOUR
  assert.deepEqual(await sweep(here.hub), { ...nothing, seen: 1, hours: 1 })
  here.now += DAY
  assert.equal((await sweep(here.hub)).deliveries, 1)
  assert.deepEqual(rows(here, 'select count from rowlock_issues'), [{ count: 4 }])
})

test('ids of events are remembered for a day, and a million of them at most', async () => {
  const here = await openHub()
  await send(here, { ...event, id: 'a' })
  here.now += DAY
  await sweep(here.hub)
  assert.equal((await send(here, { ...event, id: 'a' })).body.duplicate, true)
  here.database.exec(`update sqlite_sequence set seq = 1000000 where name = 'rowlock_seen'`)
  await send(here, { ...event, id: 'b' })
  assert.equal((await sweep(here.hub)).seen, 1)
  assert.deepEqual(rows(here, 'select event_id from rowlock_seen'), [{ event_id: 'b' }])
})

test('many rows go in small steps, over several calls', async () => {
  const here = await openHub()
  here.database.exec(`insert into rowlock_hours (issue, hour, count)
    with recursive n(n) as (select 1 union all select n + 1 from n where n < 25000) select 'x' || n, n, 1 from n`)
  assert.equal((await sweep(here.hub)).hours, 20_000)
  assert.equal((await sweep(here.hub)).hours, 5_000)
})
