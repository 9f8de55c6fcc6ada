import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, HOUR, MINUTE, openHub, rows, START } from '../hub.ts'
import { makeDevice, outages, pass, ping, readDevice } from './given.ts'

const iso = (at: number) => new Date(at).toISOString()
const idsOf = (body: Record<string, unknown>) => (body.devices as { id: string }[]).map(({ id }) => id)

test('a device is made with every field, and read as it was written', async () => {
  const here = await openHub()
  const made = await makeDevice(here, {
    id: 'store 3/tv-17',
    name: '本店 TV',
    description: 'by the door',
    slug: 'tv-17',
    period: '10m',
    grace: 30_000,
    tags: ['tv', 'front'],
    parent: null,
    maintenanceUntil: iso(START + HOUR),
    manualResume: false,
    postOnly: true,
  })
  const { uuid, pingUrl, ...device } = made
  assert.match(uuid, /^[0-9a-f-]{36}$/)
  assert.ok(String(pingUrl).endsWith(`/ping/${uuid}`))
  assert.deepEqual(device, {
    project: 1,
    id: 'store 3/tv-17',
    name: '本店 TV',
    description: 'by the door',
    slug: 'tv-17',
    state: 'new',
    late: false,
    stateChangedAt: iso(START),
    lastSeenAt: null,
    beats: 0,
    deadlineAt: null,
    skewMs: null,
    periodMs: 600_000,
    graceMs: 30_000,
    schedule: null,
    timezone: null,
    tags: ['tv', 'front'],
    parent: null,
    maintenanceUntil: iso(START + HOUR),
    manualResume: false,
    postOnly: true,
    runningSinceAt: null,
    lastDurationMs: null,
    pings: 0,
    createdAt: iso(START),
  })
  const { recentPings, downtimes, ...again } = await readDevice(here, 'store 3/tv-17')
  assert.deepEqual([again, recentPings, downtimes], [made, [], []])
})

test('one of an id can be made once; PUT makes or changes it, and leaves alone what it does not name', async () => {
  const here = await openHub()
  await makeDevice(here, { id: 'a', name: 'A' })
  assert.equal((await ask(here, 'POST /api/devices', { id: 'a' })).status, 409)
  const made = await ask(here, 'PUT /api/devices/b', { period: '1h' })
  assert.deepEqual([made.status, made.body.slug, made.body.graceMs], [201, 'b', 60_000])
  const changed = await ask(here, 'PUT /api/devices/a', { tags: ['x'], slug: null })
  assert.deepEqual(
    [changed.status, changed.body.name, changed.body.tags, changed.body.slug, changed.body.periodMs],
    [200, 'A', ['x'], null, 300_000],
  )
  const scheduled = await ask(here, 'PUT /api/devices/a', { schedule: '0 9 * * *', timezone: 'Asia/Tokyo' })
  assert.deepEqual([scheduled.body.schedule, scheduled.body.timezone], ['0 9 * * *', 'Asia/Tokyo'])
  const back = await ask(here, 'PUT /api/devices/a', { period: '2h' })
  assert.deepEqual([back.body.schedule, back.body.periodMs], [null, 2 * HOUR])
  const moved = await ask(here, 'PUT /api/devices/a', { id: 'c' })
  assert.equal(moved.status, 409)
})

test('two people who change one device at the same time both have their change', async () => {
  const here = await openHub({ grouped: true })
  await makeDevice(here, { id: 'a' })
  const answers = await Promise.all([
    ask(here, 'PUT /api/devices/a', { period: '1h' }),
    ask(here, 'PUT /api/devices/a', { grace: '10m' }),
    ask(here, 'PUT /api/devices/a', { description: 'x' }),
    ask(here, 'PUT /api/devices/a', { name: 'A' }),
  ])
  assert.ok(answers.every(({ status }) => status === 200))
  const device = await readDevice(here, 'a')
  assert.deepEqual(
    [device.periodMs, device.graceMs, device.description, device.name],
    [HOUR, 10 * MINUTE, 'x', 'A'],
  )
  // What is waited for is what both asked for.
  await ping(here, `/ping/${device.uuid}`)
  assert.equal((await readDevice(here, 'a')).deadlineAt, iso(START + HOUR + 10 * MINUTE))
})

test('saving never pages: a shorter time starts the wait anew, and a schedule left alone keeps its time', async () => {
  const here = await openHub()
  const { uuid } = await makeDevice(here, { id: 'a', period: '1d' })
  await ping(here, `/ping/${uuid}`)
  here.now += 12 * HOUR
  await ask(here, 'PUT /api/devices/a', { period: '5m' })
  await here.hub.fleet.checker.check()
  assert.deepEqual(await outages(here), [])
  await makeDevice(here, { id: 'job', schedule: '0 * * * *', grace: '10m' })
  const job = await readDevice(here, 'job')
  await ping(here, `/ping/${job.uuid}`)
  const { deadlineAt } = await readDevice(here, 'job')
  here.now += HOUR + 5 * MINUTE
  await ask(here, 'PUT /api/devices/job', { tags: ['x'] })
  assert.equal((await readDevice(here, 'job')).deadlineAt, deadlineAt)
})

test('lists: filters, pages, and every device once over several projects', async () => {
  const here = await openHub()
  const other = await here.hub.projects.add('other', { window: '1h' })
  const all = [
    ...Array.from({ length: 5 }, (_, n) => ({ project: 1, id: `a${n}`, tags: n % 2 ? ['odd'] : [] })),
    ...Array.from({ length: 4 }, (_, n) => ({ project: other.id, id: `a${n}`, name: `Shop ${n}` })),
  ]
  for (const { project, ...device } of all) {
    assert.equal((await ask(here, `POST /api/devices?project=${project}`, device)).status, 201)
  }
  const seen: string[] = []
  let cursor: unknown = ''
  for (let page = 0; cursor !== null; page++) {
    assert.ok(page < 10)
    const { body } = await ask(here, `GET /api/devices?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
    seen.push(...(body.devices as { project: number; id: string }[]).map((one) => `${one.project} ${one.id}`))
    cursor = body.next
  }
  assert.deepEqual(
    seen,
    all.map(({ project, id }) => `${project} ${id}`),
  )
  const { uuid } = (await ask(here, 'GET /api/devices/a1?project=1')).body
  await ping(here, `/ping/${uuid}`)
  for (const [query, ids] of [
    ['project=1&tag=odd', ['a1', 'a3']],
    ['project=1&state=up', ['a1']],
    ['project=1&state=new', ['a0', 'a2', 'a3', 'a4']],
    ['state=late', []],
    ['q=shop', ['a0', 'a1', 'a2', 'a3']],
    ['project=other&q=A2', ['a2']],
  ] as const) {
    const { status, body } = await ask(here, `GET /api/devices?${query}`)
    assert.deepEqual([status, idsOf(body)], [200, ids], query)
  }
  assert.equal((await ask(here, 'GET /api/devices/a1')).body.field, 'project')
})

test('pause ends what is waited for, resume begins it anew, DELETE takes all but the outages', async () => {
  const here = await openHub()
  const { uuid } = await makeDevice(here, { id: 'a', period: '5m' })
  await ping(here, `/ping/${uuid}/start`)
  await ping(here, `/ping/${uuid}`)
  await pass(here, 10 * MINUTE)
  assert.equal((await readDevice(here, 'a')).state, 'down')
  assert.equal((await ask(here, 'POST /api/devices/a/pause')).body.state, 'paused')
  await pass(here, HOUR)
  assert.deepEqual(
    (await outages(here)).map(({ endReason }) => endReason),
    ['paused'],
  )
  const resumed = await ask(here, 'POST /api/devices/a/resume')
  assert.notEqual(resumed.body.state, 'paused')
  await ping(here, `/ping/${uuid}`)
  assert.equal((await readDevice(here, 'a')).state, 'up')
  assert.equal((await ask(here, 'DELETE /api/devices/a')).body.id, 'a')
  assert.equal((await ask(here, 'GET /api/devices/a')).status, 404)
  assert.deepEqual(rows(here, 'select count(*) as n from rowlock_pings'), [{ n: 0 }])
  assert.equal((await outages(here)).length, 1)
  const anew = await makeDevice(here, { id: 'a' })
  assert.notEqual(anew.uuid, uuid)
  for (const request of [
    'POST /api/devices/zz/pause',
    'POST /api/devices/zz/resume',
    'DELETE /api/devices/zz',
  ]) {
    assert.equal((await ask(here, request)).status, 404, request)
  }
})

test('a resumed job is expected at the next time of its schedule, not within its grace', async () => {
  const here = await openHub()
  here.now = Date.parse('2027-03-12T12:00:00Z')
  const fields = { schedule: '30 2 * * *', timezone: 'Asia/Tokyo', grace: '10m' }
  const { uuid } = await makeDevice(here, { id: 'nightly', ...fields })
  const early = await makeDevice(here, { id: 'eager', ...fields, manualResume: false })
  for (const one of [uuid, early.uuid]) await ping(here, `/ping/${one}`)
  for (const id of ['nightly', 'eager']) await ask(here, `POST /api/devices/${id}/pause`)
  here.now = Date.parse('2027-03-14T12:00:00Z')
  await here.hub.fleet.checker.check()
  const resumed = await ask(here, 'POST /api/devices/nightly/resume')
  await ping(here, `/ping/${early.uuid}`)
  const due = '2027-03-14T17:40:00.000Z'
  assert.deepEqual([resumed.body.state, resumed.body.late, resumed.body.deadlineAt], ['up', false, due])
  assert.equal((await readDevice(here, 'eager')).deadlineAt, due)
  await pass(here, 5 * HOUR)
  assert.deepEqual(await outages(here), [])
})

test('what may be done with which token', async () => {
  const here = await openHub()
  const other = await here.hub.projects.add('other', { window: '1h' })
  const token = async (name: string, scopes: string[], project: number | null = null) =>
    String((await ask(here, 'POST /api/tokens', { name, scopes, project })).body.secret)
  const reader = await token('r', ['read'], 1)
  const writer = await token('w', ['write'], 1)
  const sender = await token('i', ['ingest'], 1)
  const stranger = await token('o', ['write'], other.id)
  assert.equal((await ask(here, 'POST /api/devices', { id: 'a' }, writer)).status, 201)
  const read = await ask(here, 'GET /api/devices/a', undefined, reader)
  assert.deepEqual([read.status, 'uuid' in read.body, 'pingUrl' in read.body], [200, false, false])
  assert.ok('uuid' in (await ask(here, 'GET /api/devices/a', undefined, writer)).body)
  for (const [request, body, secret, status] of [
    ['POST /api/devices', { id: 'b' }, reader, 403],
    ['PUT /api/devices/a', {}, reader, 403],
    ['DELETE /api/devices/a', undefined, reader, 403],
    ['POST /api/import', {}, reader, 403],
    ['POST /api/check', {}, reader, 403],
    ['GET /api/devices', undefined, sender, 403],
    ['GET /api/devices/a', undefined, stranger, 404],
    ['DELETE /api/devices/a', undefined, stranger, 404],
    ['GET /api/devices?project=1', undefined, stranger, 403],
    ['GET /api/downtimes', undefined, null, 401],
    ['GET /api/uptime', undefined, sender, 403],
    ['GET /api/checks', undefined, sender, 403],
    ['POST /api/beats', { device: 'a' }, sender, 200],
    ['POST /api/beats', { device: 'a' }, writer, 403],
    ['POST /api/beats', { device: 'a' }, null, 401],
    ['POST /api/projects/1/ping-key', {}, writer, 403],
  ] as const) {
    const answer = await ask(here, request, body, secret)
    assert.equal(answer.status, status, `${request} ${JSON.stringify(answer.body)}`)
  }
  assert.deepEqual(idsOf((await ask(here, 'GET /api/devices', undefined, stranger)).body), [])
})

test('nothing stands behind itself, for of a circle nobody would ever be told', async () => {
  const here = await openHub()
  const parent = async (id: string, of: string | null) => {
    const { status, body } = await ask(here, `PUT /api/devices/${id}`, { parent: of })
    return [status, body.field ?? null]
  }
  assert.deepEqual(await parent('a', 'a'), [400, 'parent'])
  assert.deepEqual(await parent('a', 'b'), [201, null])
  assert.deepEqual(await parent('b', 'c'), [201, null])
  const refused = await ask(here, 'POST /api/devices', { id: 'c', parent: 'a' })
  assert.deepEqual([refused.status, refused.body.field], [400, 'parent'])
  assert.match(String(refused.body.detail), /^parent of c leads to a, b, c; accepted: a device that does not/)
  assert.deepEqual(await parent('c', 'not-there-yet'), [201, null])
  assert.deepEqual(await parent('not-there-yet', 'b'), [400, 'parent'])
  // A circle that is there already holds up nobody outside it.
  await here.hub.fleet.watch.of(1).register('c', { parent: 'a' })
  assert.deepEqual(await parent('d', 'e'), [201, null])
  assert.deepEqual(await parent('d', 'a'), [400, 'parent'])
  assert.deepEqual(await parent('c', null), [200, null])
  assert.deepEqual(await parent('d', 'a'), [200, null])
  for (let n = 1; n <= 20; n++) {
    assert.deepEqual(await parent(`n${n}`, `n${n - 1}`), [201, null], String(n))
  }
  assert.deepEqual(await parent('n21', 'n20'), [400, 'parent'])
})

test('malformed fields are refused and named', async () => {
  const here = await openHub()
  for (const [body, field] of [
    [{}, 'id'],
    [{ id: '' }, 'id'],
    [{ id: ' a' }, 'id'],
    [{ id: 'a\nb' }, 'id'],
    [{ id: 'x'.repeat(201) }, 'id'],
    [{ id: 'a', colour: 'red' }, 'colour'],
    [{ id: 'a', period: '0s' }, 'period'],
    [{ id: 'a', period: 999 }, 'period'],
    [{ id: 'a', period: '2 hours' }, 'period'],
    [{ id: 'a', grace: '9999d' }, 'grace'],
    [{ id: 'a', schedule: 'daily' }, 'schedule'],
    [{ id: 'a', schedule: '0 0 * * *', timezone: 'Mars' }, 'timezone'],
    [{ id: 'a', timezone: 'UTC' }, 'timezone'],
    [{ id: 'a', tags: 'x' }, 'tags'],
    [{ id: 'a', tags: [''] }, 'tags'],
    [{ id: 'a', tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, 'tags'],
    [{ id: 'a', slug: 'A B' }, 'slug'],
    [{ id: 'a', maintenanceUntil: 'soon' }, 'maintenanceUntil'],
    [{ id: 'a', manualResume: 'yes' }, 'manualResume'],
    [{ id: 'a', name: 5 }, 'name'],
  ] as const) {
    const { status, body: problem } = await ask(here, 'POST /api/devices', body)
    assert.deepEqual([status, problem.field], [400, field], JSON.stringify(body))
  }
  for (const query of [
    'state=lost',
    'limit=0',
    'limit=201',
    'cursor=x',
    `q=${'x'.repeat(201)}`,
    'project=9',
  ]) {
    assert.equal((await ask(here, `GET /api/devices?${query}`)).status, 400, query)
  }
})
