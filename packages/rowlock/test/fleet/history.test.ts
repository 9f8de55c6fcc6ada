import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/browser/esm/sync'
import { ask, HOUR, MINUTE, openHub, START, type TestHub } from '../hub.ts'
import { makeDevice, outages, pass, ping, readDevice } from './given.ts'

type Json = Record<string, unknown>
const DAY = 24 * HOUR
const iso = (at: number) => new Date(at).toISOString()

/** Three devices with names as senders write them; each fails for a minute, one after another. */
async function withOutages(): Promise<TestHub> {
  const here = await openHub()
  for (const [id, name] of [
    ['a', '=cmd|calc'],
    ['b', 'Shop, "north"'],
    ['c', '本店'],
  ]) {
    const { uuid } = await makeDevice(here, { id, name })
    await ping(here, `/ping/${uuid}`)
    here.now += MINUTE
    await ping(here, `/ping/${uuid}/2`)
    here.now += MINUTE
    await ping(here, `/ping/${uuid}`)
  }
  const { uuid } = await readDevice(here, 'c')
  await ping(here, `/ping/${uuid}/fail`)
  return here
}

test('outages are filtered by device, span and whether they last, page by page', async () => {
  const here = await withOutages()
  const found = async (query: string) => {
    const { status, body } = await ask(here, `GET /api/downtimes?${query}`)
    assert.equal(status, 200, query)
    return (body.downtimes as Json[]).map(({ device }) => device)
  }
  for (const [query, devices] of [
    ['', ['c', 'c', 'b', 'a']],
    ['device=b', ['b']],
    ['open=1', ['c']],
    ['open=0', ['c', 'b', 'a']],
    ['open=true&device=a', []],
    [`from=${START + 2 * MINUTE}&to=${START + 5 * MINUTE}`, ['b']],
    [`from=${iso(START + 6 * MINUTE)}`, ['c']],
    [`to=${START + MINUTE}`, []],
    ['project=default', ['c', 'c', 'b', 'a']],
  ] as const) {
    assert.deepEqual(await found(query), devices, query)
  }
  const first = (await ask(here, 'GET /api/downtimes?limit=3')).body
  const rest = (await ask(here, `GET /api/downtimes?limit=3&cursor=${first.next}`)).body
  const ids = [...(first.downtimes as Json[]), ...(rest.downtimes as Json[])].map(({ id }) => id)
  assert.deepEqual([new Set(ids).size, rest.next], [4, null])
  for (const query of ['open=maybe', 'from=soon', 'from=5&to=4', 'limit=0', 'cursor=x', 'project=9']) {
    assert.equal((await ask(here, `GET /api/downtimes?${query}`)).status, 400, query)
  }
})

test('outages as CSV: by the header for scripts, by the query for spreadsheets', async () => {
  const here = await withOutages()
  const get = async (query: string, accept: string) => {
    const headers = { authorization: `Bearer ${here.adminToken}`, accept }
    return await here.app.request(`/api/downtimes${query}`, { headers })
  }
  const plain = await get('', 'text/csv')
  assert.equal(plain.headers.get('content-type'), 'text/csv; charset=utf-8')
  const text = await plain.text()
  const [header, ...lines] = parse(text) as string[][]
  assert.deepEqual(header?.slice(0, 7), [
    'project',
    'device',
    'name',
    'started',
    'detected',
    'ended',
    'seconds',
  ])
  assert.deepEqual(
    lines.map((line) => [line[1], line[2], line[6], line[7]]),
    [
      ['c', '本店', '', 'failed'],
      ['c', '本店', '60', 'failed'],
      ['b', 'Shop, "north"', '60', 'failed'],
      ['a', "'=cmd|calc", '60', 'failed'],
    ],
  )
  const download = await get('?format=csv&device=a', '*/*')
  assert.match(download.headers.get('content-disposition') ?? '', /attachment; filename="downtimes.csv"/)
  const bytes = new Uint8Array(await download.arrayBuffer())
  assert.deepEqual([...bytes.slice(0, 3)], [0xef, 0xbb, 0xbf])
  assert.equal(new TextDecoder().decode(bytes).trim().split('\r\n').length, 2)
})

test('more outages than a page go into one CSV', async () => {
  const here = await openHub()
  const { uuid } = await makeDevice(here, { id: 'a' })
  for (let n = 0; n < 450; n++) {
    await ping(here, `/ping/${uuid}/fail`)
    here.now += 1_000
    await ping(here, `/ping/${uuid}`)
  }
  const headers = { authorization: `Bearer ${here.adminToken}`, accept: 'text/csv' }
  const text = await (await here.app.request('/api/downtimes', { headers })).text()
  const ids = new Set(
    text
      .trim()
      .split('\r\n')
      .map((line) => line.split(',').at(-1)),
  )
  assert.equal(ids.size, 451)
})

test('uptime by day: what is known adds up, and is what the library says of the same span', async () => {
  const here = await openHub()
  const { uuid } = await makeDevice(here, { id: 'a', period: '1h', grace: '30m' })
  await makeDevice(here, { id: 'b' })
  const beat = async () => {
    if (here.now < START + 6 * HOUR || here.now > START + 30 * HOUR) await ping(here, `/ping/${uuid}`)
  }
  await pass(here, 2 * DAY, beat)
  await ask(here, 'POST /api/devices/a/pause')
  await pass(here, 5 * HOUR)
  await ask(here, 'POST /api/devices/a/resume')
  // Nobody looks for two hours.
  here.now += 2 * HOUR
  await here.hub.fleet.checker.check()
  await pass(here, HOUR, beat)

  const { body } = await ask(here, 'GET /api/uptime?by=day&count=4&tz=Asia/Tokyo')
  const periods = body.periods as { name: string; startsAt: string; endsAt: string }[]
  assert.deepEqual(
    periods.map(({ name }) => name),
    ['2027-01-15', '2027-01-16', '2027-01-17', '2027-01-18'].slice(-4),
  )
  assert.equal(periods[0]?.startsAt, '2027-01-14T15:00:00.000Z')
  const [a, b] = body.devices as { device: string; periods: Json[]; total: Json }[]
  // Who was never heard is neither up nor down.
  assert.deepEqual([a?.device, b?.device, b?.total.outages, b?.total.ratio], ['a', 'b', 0, null])
  const liveness = here.hub.fleet.watch.of(1)
  for (const [index, { startsAt, endsAt }] of periods.entries()) {
    const span = { from: Date.parse(startsAt), to: Date.parse(endsAt) }
    const known = await liveness.uptime('a', span)
    assert.ok(known)
    const { upMs, downMs, unknownMs, outages: count, ratio } = known
    assert.deepEqual(a?.periods[index], { ratio, upMs, downMs, unknownMs, outages: count })
    assert.equal(upMs + downMs + unknownMs, Math.min(span.to, here.now) - span.from)
  }
  const [outage] = await outages(here, 'a')
  assert.equal(a?.total.downMs, outage?.durationMs)
  assert.ok(Number(a?.total.ratio) > 0 && Number(a?.total.ratio) < 1)

  const months = await ask(here, 'GET /api/uptime?by=month&device=a')
  assert.deepEqual((months.body.periods as { name: string }[]).map(({ name }) => name).slice(-2), [
    '2026-12',
    '2027-01',
  ])
  assert.equal((months.body.devices as { total: Json }[])[0]?.total.downMs, outage?.durationMs)
  for (const query of ['by=week', 'tz=Mars', 'count=0', 'count=401', 'limit=101', 'limit=0']) {
    assert.equal((await ask(here, `GET /api/uptime?${query}`)).status, 400, query)
  }
  assert.equal((await ask(here, 'GET /api/uptime?device=zz')).status, 404)
})

test('each check is written down with the figures that it answered with', async () => {
  const here = await openHub()
  const { uuid } = await makeDevice(here, { id: 'a', period: '5m', grace: '1m' })
  await ping(here, `/ping/${uuid}`)
  await pass(here, 5 * MINUTE)
  here.now += MINUTE
  const { status, body } = await ask(here, 'POST /api/check')
  const [check] = body.checks as Json[]
  assert.deepEqual(
    [status, check?.project, check?.opened, check?.newlyDown, check?.verdict, check?.overdueRuns],
    [200, 1, 1, 1, 'normal', 0],
  )
  const listed = (await ask(here, 'GET /api/checks?limit=1')).body
  const [record] = listed.checks as Json[]
  assert.deepEqual(
    [record?.run, record?.project, record?.opened, record?.checkedAt],
    [check?.run, 1, 1, iso(here.now)],
  )
  const next = (await ask(here, `GET /api/checks?limit=10&cursor=${listed.next}`)).body
  assert.equal((next.checks as Json[]).length, 5)
})
