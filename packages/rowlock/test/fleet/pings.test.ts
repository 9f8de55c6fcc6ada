import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, HOUR, MINUTE, openHub, START, type TestHub } from '../hub.ts'
import { makeDevice, outages, pass, ping, readDevice } from './given.ts'

const RID = '123e4567-e89b-12d3-a456-426614174000'
const OTHER_RID = '223e4567-e89b-12d3-a456-426614174000'
const DAY = 24 * HOUR

const iso = (at: number) => new Date(at).toISOString()

async function pingKey(here: TestHub): Promise<string> {
  const { status, body } = await ask(here, 'POST /api/projects/1/ping-key')
  assert.equal(status, 200)
  return body.key as string
}

test('GET, HEAD and POST to a device’s address are beats', async () => {
  const here = await openHub()
  const { uuid, pingUrl } = await makeDevice(here, { id: 'tv-1', name: 'TV', period: '5m', grace: '1m' })
  assert.equal(pingUrl, `http://localhost/ping/${uuid}`)
  assert.equal((await readDevice(here, 'tv-1')).state, 'new')
  for (const [method, text] of [
    ['GET', 'OK'],
    ['HEAD', ''],
    ['POST', 'OK'],
  ]) {
    here.now += MINUTE
    const answer = await ping(here, `/ping/${uuid}`, {
      method: String(method),
      headers: { 'user-agent': 'box/1' },
      ...(method === 'POST' ? { body: 'all well' } : {}),
    })
    assert.deepEqual([answer.status, answer.text], [200, text])
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(answer.headers.get('ping-body-limit'), '100000')
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  }
  const device = await readDevice(here, 'tv-1')
  assert.deepEqual(
    [device.state, device.lastSeenAt, device.beats, device.pings],
    ['up', iso(START + 3 * MINUTE), 3, 3],
  )
  const [last, middle] = device.recentPings as Record<string, unknown>[]
  assert.deepEqual(last, {
    n: 3,
    kind: 'success',
    rid: null,
    exitStatus: null,
    durationMs: null,
    method: 'POST',
    remote: null,
    agent: 'box/1',
    body: 'all well',
    receivedAt: iso(START + 3 * MINUTE),
  })
  assert.deepEqual([middle?.method, middle?.body], ['HEAD', null])
})

test('silence for longer than period and grace is one outage, which the next beat ends', async () => {
  const here = await openHub()
  const { uuid } = await makeDevice(here, { id: 'tv-1', period: '5m', grace: '1m' })
  await ping(here, `/ping/${uuid}`)
  await pass(here, 5 * MINUTE)
  assert.deepEqual([(await readDevice(here, 'tv-1')).late, await outages(here)], [true, []])
  await pass(here, 3 * MINUTE)
  assert.equal((await readDevice(here, 'tv-1')).state, 'down')
  here.now += 30_000
  await ping(here, `/ping/${uuid}`)
  assert.equal((await readDevice(here, 'tv-1')).state, 'up')
  const [outage, ...others] = await outages(here)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [outage?.device, outage?.cause, outage?.endReason, outage?.startedAt, outage?.endedAt],
    ['tv-1', 'silent', 'beat', iso(START), iso(START + 8.5 * MINUTE)],
  )
})

test('a failure is an outage at once, and tells the exit status', async () => {
  const here = await openHub()
  const { uuid } = await makeDevice(here, { id: 'job' })
  await ping(here, `/ping/${uuid}/0`)
  here.now += MINUTE
  assert.equal((await ping(here, `/ping/${uuid}/137`, { method: 'POST', body: 'out of memory' })).text, 'OK')
  const device = await readDevice(here, 'job')
  assert.equal(device.state, 'down')
  assert.deepEqual(
    (device.recentPings as { kind: string; exitStatus: number }[]).map((one) => [one.kind, one.exitStatus]),
    [
      ['fail', 137],
      ['success', 0],
    ],
  )
  assert.equal((await ping(here, `/ping/${uuid}/fail`)).text, 'OK')
  here.now += MINUTE
  await ping(here, `/ping/${uuid}`)
  const [outage, ...others] = await outages(here)
  assert.deepEqual(others, [])
  assert.deepEqual([outage?.cause, outage?.durationMs], ['failed', MINUTE])
})

test('log is kept and changes nothing', async () => {
  const here = await openHub()
  const { uuid } = await makeDevice(here, { id: 'job' })
  await ping(here, `/ping/${uuid}/log`, { method: 'POST', body: 'step 1' })
  const device = await readDevice(here, 'job')
  assert.deepEqual([device.state, device.beats, device.pings, device.lastSeenAt], ['new', 0, 1, null])
})

test('a run that ends in time says how long it took', async () => {
  const here = await openHub()
  const { uuid } = await makeDevice(here, { id: 'job', period: '1d', grace: '10m' })
  await ping(here, `/ping/${uuid}/start`)
  assert.equal((await readDevice(here, 'job')).runningSinceAt, iso(START))
  here.now += 9 * MINUTE
  await ping(here, `/ping/${uuid}`)
  const device = await readDevice(here, 'job')
  assert.deepEqual([device.runningSinceAt, device.lastDurationMs, device.state], [null, 9 * MINUTE, 'up'])
  assert.equal((device.recentPings as { durationMs: number }[])[0]?.durationMs, 9 * MINUTE)
  await ping(here, `/ping/${uuid}`)
  assert.equal((await readDevice(here, 'job')).lastDurationMs, null)
})

test('a run that does not end within the grace time is down, even the first', async () => {
  const here = await openHub()
  const { uuid } = await makeDevice(here, { id: 'job', period: '1d', grace: '10m' })
  await ping(here, `/ping/${uuid}/start`)
  await pass(here, 10 * MINUTE - 1)
  assert.deepEqual(await outages(here), [])
  await pass(here, 1)
  const [outage] = await outages(here)
  assert.deepEqual([outage?.cause, (await readDevice(here, 'job')).runningSinceAt], ['failed', null])
  assert.match(String(outage?.reason), /did not end within 10 m/)
  await ping(here, `/ping/${uuid}`)
  await pass(here, HOUR)
  assert.deepEqual([(await outages(here)).length, (await readDevice(here, 'job')).state], [1, 'up'])
})

test('runs that overlap are told apart by their ids', async () => {
  const here = await openHub()
  const { uuid } = await makeDevice(here, { id: 'job', period: '1d', grace: '10m' })
  await ping(here, `/ping/${uuid}/start?rid=${RID}`)
  here.now += MINUTE
  await ping(here, `/ping/${uuid}/start?rid=${OTHER_RID}`)
  here.now += MINUTE
  await ping(here, `/ping/${uuid}?rid=${RID}`)
  const first = await readDevice(here, 'job')
  assert.deepEqual([first.runningSinceAt, first.lastDurationMs], [iso(START + MINUTE), null])
  here.now += MINUTE
  await ping(here, `/ping/${uuid}?rid=${OTHER_RID}`)
  const second = await readDevice(here, 'job')
  assert.deepEqual([second.runningSinceAt, second.lastDurationMs], [null, 2 * MINUTE])
  await ping(here, `/ping/${uuid}/start?rid=${RID}`)
  await ping(here, `/ping/${uuid}/fail?rid=${OTHER_RID}`)
  assert.equal((await readDevice(here, 'job')).runningSinceAt, null)
})

test('an end that comes between the look and the write of a check wins', async () => {
  const here = await openHub()
  const { uuid } = await makeDevice(here, { id: 'job', period: '1d', grace: '10m' })
  await ping(here, `/ping/${uuid}/start`)
  here.now += 10 * MINUTE
  const { driver } = here.hub.ground
  const execute = driver.execute.bind(driver)
  let between = 0
  Object.assign(driver, {
    async execute(statement: { name: string }) {
      const rows = await execute(statement as Parameters<typeof execute>[0])
      if (statement.name === 'pings.overdue' && between++ === 0) await ping(here, `/ping/${uuid}`)
      return rows
    },
  })
  await here.hub.fleet.checker.check()
  assert.ok(between > 0)
  assert.deepEqual([await outages(here), (await readDevice(here, 'job')).state], [[], 'up'])
})

test('by key and slug: unknown, made, and ambiguous', async () => {
  const here = await openHub()
  const key = await pingKey(here)
  assert.match(key, /^[A-Za-z0-9_-]{22}$/)
  assert.deepEqual((await ping(here, `/ping/${key}/nightly`)).status, 404)
  const made = await ping(here, `/ping/${key}/nightly?create=1`)
  assert.deepEqual([made.status, made.text], [201, 'Created'])
  assert.deepEqual((await ping(here, `/ping/${key}/nightly?create=1`)).status, 200)
  const device = await readDevice(here, 'nightly')
  assert.deepEqual(
    [device.periodMs, device.graceMs, device.slug, device.beats, device.manualResume],
    [DAY, HOUR, 'nightly', 2, false],
  )
  await makeDevice(here, { id: 'a', slug: 'same' })
  await makeDevice(here, { id: 'b', slug: 'same' })
  const ambiguous = await ping(here, `/ping/${key}/same?create=1`)
  assert.deepEqual([ambiguous.status, ambiguous.text], [409, 'ambiguous slug'])
  await makeDevice(here, { id: 'taken', slug: 'other' })
  assert.equal((await ping(here, `/ping/${key}/taken?create=1`)).status, 409)
  for (const end of ['start', 'fail', 'log', '0', '3']) {
    assert.equal((await ping(here, `/ping/${key}/nightly/${end}`)).status, 200, end)
  }
})

test('two first pings at once make one device', async () => {
  const here = await openHub({ grouped: true })
  const key = await pingKey(here)
  const answers = await Promise.all(Array.from({ length: 8 }, () => ping(here, `/ping/${key}/new?create=1`)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 200, 200, 201])
  assert.equal((await readDevice(here, 'new')).beats, 8)
})

test('a key is shown once, stored as a hash, and refused after the next', async () => {
  const here = await openHub()
  const first = await pingKey(here)
  await ping(here, `/ping/${first}/a?create=1`)
  const [stored] = here.database.prepare('select hash from rowlock_ping_keys').all()
  assert.match(String(stored?.hash), /^[0-9a-f]{64}$/)
  const second = await pingKey(here)
  assert.equal((await ping(here, `/ping/${first}/a`)).status, 404)
  assert.equal((await ping(here, `/ping/${second}/a`)).status, 200)
  const token = await ask(here, 'POST /api/tokens', { name: 'w', scopes: ['write'] })
  const refused = await ask(here, 'POST /api/projects/1/ping-key', {}, String(token.body.secret))
  assert.equal(refused.status, 403)
  assert.equal((await ask(here, 'POST /api/projects/9/ping-key')).status, 404)
})

test('wrong keys are counted against their address, right ones go on', async () => {
  const here = await openHub()
  const key = await pingKey(here)
  await ping(here, `/ping/${key}/a?create=1`)
  const wrong = 'x'.repeat(22)
  for (let n = 0; n < 10; n++) assert.equal((await ping(here, `/ping/${wrong}/a`)).status, 404)
  const refused = await ping(here, `/ping/${wrong}/a`)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal((await ping(here, `/ping/${key}/a`)).status, 200)
})

test('malformed addresses, and devices that are gone', async () => {
  const here = await openHub()
  const { uuid } = await makeDevice(here, { id: 'a' })
  const cases: [string, number, string][] = [
    [`/ping/${uuid}/256`, 400, 'invalid url format'],
    [`/ping/${uuid}?rid=7`, 400, 'invalid uuid format'],
    [`/ping/${uuid}/stop`, 404, 'not found'],
    [`/ping/${RID}`, 404, 'not found'],
    ['/ping/', 404, 'not found'],
  ]
  for (const [path, status, text] of cases) {
    const answer = await ping(here, path)
    assert.deepEqual([answer.status, answer.text], [status, text], path)
  }
  assert.equal((await ping(here, `/ping/${uuid}`, { method: 'PUT' })).status, 405)
  assert.equal((await ask(here, 'DELETE /api/devices/a')).status, 200)
  for (const end of ['', '/start', '/fail', '/log']) {
    assert.equal((await ping(here, `/ping/${uuid}${end}`)).status, 404, end)
  }
})

test('the first 100 KB of a body are kept, more is read, and past the limit it is refused', async () => {
  const here = await openHub({ flags: { 'max-body': 300_000 } })
  const { uuid } = await makeDevice(here, { id: 'a' })
  const post = (body: BodyInit) => ping(here, `/ping/${uuid}`, { method: 'POST', body })
  const kept = async () =>
    ((await readDevice(here, 'a')).recentPings as { body: string | null }[])[0]?.body ?? ''
  assert.equal((await post(`${'é'.repeat(49_999)}x${'é'.repeat(50_000)}`)).status, 200)
  assert.equal(await kept(), `${'é'.repeat(49_999)}x`)
  assert.equal((await post('a\0b')).status, 200)
  assert.equal(await kept(), 'a\uFFFDb')
  assert.equal((await post(new Uint8Array([0x96, 0x7b, 0x61]))).status, 200)
  assert.equal(await kept(), '\uFFFD{a')
  assert.equal((await post('')).status, 200)
  assert.equal(await kept(), '')
  assert.equal((await post('x'.repeat(300_000))).status, 200)
  const refused = await post('x'.repeat(300_001))
  assert.deepEqual([refused.status, refused.text], [413, 'larger than 300000 bytes'])
  assert.equal((await readDevice(here, 'a')).pings, 5)
})

test('the last hundred pings are kept, numbered', async () => {
  const here = await openHub()
  const { uuid } = await makeDevice(here, { id: 'a' })
  for (let n = 1; n <= 130; n++) await ping(here, `/ping/${uuid}/log`, { method: 'POST', body: `n${n}` })
  const device = await readDevice(here, 'a')
  const pings = device.recentPings as { n: number; body: string }[]
  assert.deepEqual([device.pings, pings.length, pings[0]?.n, pings.at(-1)?.n], [130, 100, 130, 31])
  assert.ok(pings.every(({ n, body }) => body === `n${n}`))
})

test('only POST counts where that is asked for; a paused device stays so, or a ping resumes it', async () => {
  const here = await openHub()
  const { uuid } = await makeDevice(here, { id: 'a', postOnly: true })
  assert.equal((await ping(here, `/ping/${uuid}`)).text, 'OK')
  assert.equal((await readDevice(here, 'a')).beats, 0)
  await ping(here, `/ping/${uuid}`, { method: 'POST' })
  const device = await readDevice(here, 'a')
  assert.deepEqual(
    [device.beats, (device.recentPings as { kind: string }[]).map(({ kind }) => kind)],
    [1, ['success', 'ignored']],
  )
  await ask(here, 'POST /api/devices/a/pause')
  await ping(here, `/ping/${uuid}`, { method: 'POST' })
  assert.equal((await readDevice(here, 'a')).state, 'paused')
  await ask(here, 'PUT /api/devices/a', { manualResume: false })
  await ping(here, `/ping/${uuid}`, { method: 'POST' })
  assert.equal((await readDevice(here, 'a')).state, 'up')
})

test('a job with a schedule is waited for by the clock of its place', async () => {
  const here = await openHub()
  // 2027-03-13T12:00Z; in New York clocks are set forward in the night that follows.
  here.now = Date.parse('2027-03-13T12:00:00Z')
  const { uuid } = await makeDevice(here, {
    id: 'nightly',
    schedule: '30 2 * * *',
    timezone: 'America/New_York',
    grace: '10m',
  })
  await ping(here, `/ping/${uuid}`)
  assert.equal((await readDevice(here, 'nightly')).deadlineAt, '2027-03-14T07:10:00.000Z')
  here.now = Date.parse('2027-03-14T07:05:00Z')
  assert.equal((await readDevice(here, 'nightly')).late, true)
  await ping(here, `/ping/${uuid}`)
  const device = await readDevice(here, 'nightly')
  assert.deepEqual([device.late, device.deadlineAt], [false, '2027-03-15T06:40:00.000Z'])
})
