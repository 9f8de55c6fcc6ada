import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, openHub, rows, type TestHub } from '../hub.ts'
import { makeDevice, ping, readDevice } from './given.ts'

type Json = Record<string, unknown>

async function post(
  here: TestHub,
  query: string,
  body: BodyInit,
  type = 'text/csv',
): Promise<{ status: number; body: Json }> {
  const response = await here.app.request(`/api/import${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${here.adminToken}`, 'content-type': type },
    body,
  })
  return { status: response.status, body: (await response.json()) as Json }
}

const figures = ({ created, changed, unchanged, errorCount }: Json) => [
  created,
  changed,
  unchanged,
  errorCount,
]

const csv = 'id,name,period,tags\ntv-1,One,5m,a b\ntv-2,Two,5m,\ntv-3,Three,1h,c\n'

test('a dry run tells exactly what the run after it does, and writes nothing', async () => {
  const here = await openHub()
  await makeDevice(here, { id: 'tv-1', name: 'One', tags: ['a', 'b'] })
  await makeDevice(here, { id: 'tv-2', name: 'Old' })
  const before = rows(here, 'select id, version from rowlock_devices order by id')
  const dry = await post(here, '?dryRun=1', csv)
  assert.deepEqual([dry.status, dry.body.dryRun, figures(dry.body)], [200, true, [1, 1, 1, 0]])
  assert.deepEqual(rows(here, 'select id, version from rowlock_devices order by id'), before)
  const run = await post(here, '', csv)
  assert.deepEqual([run.body.dryRun, figures(run.body)], [false, [1, 1, 1, 0]])
  assert.equal((await readDevice(here, 'tv-2')).name, 'Two')
  assert.deepEqual(figures((await post(here, '', csv)).body), [0, 0, 3, 0])
  assert.deepEqual(rows(here, 'select id, version from rowlock_devices order by id'), [
    { id: 'tv-1', version: 1 },
    { id: 'tv-2', version: 2 },
    { id: 'tv-3', version: 1 },
  ])
})

test('Shift_JIS, as it is and as it is named', async () => {
  const here = await openHub()
  const bytes = (id: string) =>
    new Uint8Array([
      ...new TextEncoder().encode(`id,name\n${id},`),
      ...[0x96, 0x7b, 0x93, 0x58, 0x83, 0x65, 0x83, 0x8c, 0x83, 0x72, 0x0a],
    ])
  assert.equal((await post(here, '', bytes('a'))).body.created, 1)
  assert.equal((await post(here, '', bytes('b'), 'text/csv; charset=Shift_JIS')).body.created, 1)
  assert.equal((await post(here, '?encoding=sjis', bytes('c'))).body.created, 1)
  for (const id of ['a', 'b', 'c']) assert.equal((await readDevice(here, id)).name, '本店テレビ')
  assert.equal((await post(here, '?encoding=utf-8', bytes('d'))).status, 400)
})

test('with one mistake nothing is written', async () => {
  const here = await openHub()
  const { status, body } = await post(here, '', 'id,period\na,5m\nb,never\n')
  assert.deepEqual([status, figures(body)], [200, [0, 0, 0, 1]])
  const [error] = body.errors as Json[]
  assert.deepEqual([error?.row, error?.column], [3, 'period'])
  assert.deepEqual(rows(here, 'select count(*) as n from rowlock_devices'), [{ n: 0 }])
})

test('devices that stand behind each other are told by row, and those that stand in a line are taken', async () => {
  const here = await openHub()
  const { body } = await post(here, '', 'id,parent\nswitch,\na,switch\nb,c\nc,d\nd,b\n')
  const told = (body.errors as Json[]).map(({ row, column }) => [row, column])
  assert.deepEqual(
    [figures(body), told],
    [
      [0, 0, 0, 3],
      [
        [4, 'parent'],
        [5, 'parent'],
        [6, 'parent'],
      ],
    ],
  )
  const many = `id,parent\n${Array.from({ length: 700 }, (_, n) => `d${n},switch-${n % 10}\n`).join('')}`
  const lines = Array.from({ length: 10 }, (_, n) => `switch-${n},router\n`).join('')
  assert.equal((await post(here, '', `${many}${lines}router,\n`)).body.created, 711)
})

test('yes and no in a query are 1 and 0, and nothing is done where it says neither', async () => {
  const here = await openHub()
  const { status, body } = await post(here, '?dryRun=maybe', 'id\na\n')
  assert.deepEqual([status, body.field, body.accepted], [400, 'dryRun', '1 or 0'])
  assert.equal((await post(here, '?dryRun=0', 'id\na\n')).body.dryRun, false)
  assert.equal((await post(here, '?dryRun', 'id\na\n')).body.dryRun, true)
  assert.deepEqual((await ask(here, 'GET /api/downtimes?format=xml')).body.accepted, 'json, csv')
})

test('more devices than one batch takes', async () => {
  const here = await openHub()
  const many = `id,name\n${Array.from({ length: 1_203 }, (_, n) => `d${n},n${n}\n`).join('')}`
  assert.deepEqual(figures((await post(here, '', many)).body), [1_203, 0, 0, 0])
  assert.deepEqual(
    figures((await post(here, '?dryRun=true', many.replace('d7,n7\n', 'd7,x\n'))).body),
    [0, 1, 1_202, 0],
  )
})

const UUID = '31365bce-8da9-4729-8ff3-aaa71d56b712'
const check = {
  name: 'Filesystem Backup',
  slug: 'filesystem-backup',
  tags: 'backup fs',
  desc: 'every hour',
  grace: 600,
  status: 'up',
  manual_resume: false,
  methods: '',
  ping_url: `https://ping.example.com/${UUID}`,
  timeout: 3600,
}

test('a project of Healthchecks keeps its ping addresses, twice too', async () => {
  const here = await openHub()
  const nightly = { ...check, name: 'Nightly', slug: 'nightly', status: 'paused', manual_resume: true }
  const checks = [
    check,
    { ...nightly, ping_url: undefined, timeout: undefined, schedule: '0 2 * * *', tz: 'Asia/Tokyo' },
  ]
  const body = JSON.stringify({ checks })
  const dry = await post(here, '?dryRun=1', body, 'application/json')
  assert.deepEqual([figures(dry.body), dry.body.paused], [[2, 0, 0, 0], 1])
  const run = await post(here, '', body, 'application/json')
  assert.deepEqual([figures(run.body), run.body.paused], [[2, 0, 0, 0], 1])
  assert.equal((await ping(here, `/ping/${UUID}`)).text, 'OK')
  const backup = await readDevice(here, 'filesystem-backup')
  assert.deepEqual(
    [backup.state, backup.periodMs, backup.graceMs, backup.tags, backup.description],
    ['up', 3_600_000, 600_000, ['backup', 'fs'], 'every hour'],
  )
  const job = await readDevice(here, 'nightly')
  assert.deepEqual([job.state, job.schedule, job.timezone], ['paused', '0 2 * * *', 'Asia/Tokyo'])
  const again = await post(here, '', body, 'application/octet-stream')
  assert.deepEqual(figures(again.body), [0, 0, 2, 0])
})

test('an address that another device has is told before anything is written', async () => {
  const here = await openHub()
  const other = await here.hub.projects.add('other', { window: '1h' })
  const body = JSON.stringify({ checks: [check] })
  await post(here, '?project=1', body, 'application/json')
  for (const query of [`?project=${other.id}`, `?project=${other.id}&dryRun=1`]) {
    const answer = await post(here, query, body, 'application/json')
    assert.deepEqual(figures(answer.body), [0, 0, 0, 1])
    assert.match(JSON.stringify(answer.body.errors), /belongs to filesystem-backup of project 1/)
  }
  const elsewhere = JSON.stringify({
    checks: [{ ...check, ping_url: `https://x.example/${UUID.replace('3', '4')}` }],
  })
  assert.match(
    JSON.stringify((await post(here, '?project=1', elsewhere, 'application/json')).body.errors),
    /with another ping address/,
  )
})

test('what is no import is refused', async () => {
  const here = await openHub()
  for (const [body, type] of [
    ['', 'text/csv'],
    ['{', 'application/json'],
    ['{}', 'application/json'],
    ['[]', 'application/json'],
    ['name\nx\n', 'text/csv'],
  ] as const) {
    assert.equal((await post(here, '', body, type)).status, 400, body)
  }
  assert.equal((await ask(here, 'GET /api/import')).status, 405)
})
