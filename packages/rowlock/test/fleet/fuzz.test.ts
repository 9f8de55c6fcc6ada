import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ask, openHub, rows, type TestHub } from '../hub.ts'
import { makeDevice } from './given.ts'

const SEED = Number(process.env.ROWLOCK_FUZZ_SEED ?? 20261201)
const RUNS = Number(process.env.ROWLOCK_FUZZ_ROUNDS ?? 800)
const RID = '123e4567-e89b-12d3-a456-426614174000'

/** A hub in which some addresses are right. */
async function openFleet(): Promise<{ here: TestHub; uuid: string; key: string }> {
  const here = await openHub({ flags: { 'max-body': 20_000 } })
  const { uuid } = await makeDevice(here, { id: 'a', slug: 'a' })
  await makeDevice(here, { id: 'b', slug: 'same' })
  await makeDevice(here, { id: 'c', slug: 'same' })
  const { body } = await ask(here, 'POST /api/projects/1/ping-key')
  return { here, uuid, key: String(body.key) }
}

const odd = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '255',
    '256',
    '-1',
    'start',
    'fail',
    'log',
    '%00',
    '%E0%A4%A',
    '..',
    '%2F',
    'a',
    'same',
  ),
  fc.constantFrom('__proto__', "' or 1=1 --", '在庫', '\u{1F600}', 'x'.repeat(5_000), '%', '%zz'),
  fc.string(),
)

test(`ping addresses and bodies of every shape: never a 5xx (seed ${SEED})`, {
  timeout: 120_000,
}, async () => {
  const { here, uuid, key } = await openFleet()
  const head = fc.constantFrom(
    uuid,
    uuid.toUpperCase(),
    `${key}/a`,
    `${key}/same`,
    `${key}/new`,
    'x'.repeat(22),
    '',
  )
  const query = fc.record(
    { rid: fc.oneof(fc.constant(RID), odd), create: fc.constantFrom('1', '0'), x: odd },
    { requiredKeys: [] },
  )
  const answers = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(
      head,
      fc.array(odd, { maxLength: 3 }),
      query,
      fc.constantFrom('GET', 'HEAD', 'POST', 'POST', 'POST', 'PUT', 'OPTIONS', 'DELETE'),
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.uint8Array({ minLength: 19_000, maxLength: 21_000, size: 'max' }),
      ),
      async (first, rest, given, method, body) => {
        // Too many wrong keys would close the door for the rest.
        here.now += 7_000
        const path = `/ping/${[first, ...rest].join('/')}`
        const search = new URLSearchParams(given as Record<string, string>)
        const url = URL.canParse(path, 'http://localhost')
          ? `${path.replaceAll(/[?#]/g, '')}?${search}`
          : '/ping/'
        const response = await here.app.request(url, {
          method,
          ...(method === 'POST' || method === 'PUT' ? { body: body as BodyInit } : {}),
        })
        await response.text()
        assert.ok(
          response.status < 500,
          `${response.status} for ${method} ${url}\n${here.problems.join('\n')}`,
        )
        answers.set(response.status, (answers.get(response.status) ?? 0) + 1)
      },
    ),
    { seed: SEED, numRuns: RUNS },
  )
  for (const status of [200, 400, 404, 405])
    assert.ok((answers.get(status) ?? 0) > 0, `never ${status}: ${JSON.stringify([...answers])}`)
  assert.deepEqual(rows(here, 'pragma integrity_check'), [{ integrity_check: 'ok' }])
  const [counted] = rows(
    here,
    `select (select sum(pings) from rowlock_devices) as sum, (select count(*) from rowlock_pings) as kept`,
  )
  assert.equal(counted?.sum, here.hub.metrics.read('pings_total'))
  assert.ok(Number(counted?.kept) <= 100 * 4)
})

test(`bodies and queries of the API: never a 5xx (seed ${SEED})`, { timeout: 120_000 }, async () => {
  const { here } = await openFleet()
  const leaf = fc.oneof(
    odd,
    fc.constantFrom(null, true, 0, -1, 1.5, 1e21, 2 ** 53, 1_800_000_000_000, '5m', '0 0 * * *', 'UTC'),
  )
  const names = [
    'id',
    'device',
    'at',
    'name',
    'period',
    'grace',
    'schedule',
    'timezone',
    'tags',
    'parent',
    'slug',
    'maintenanceUntil',
    'manualResume',
    'checks',
  ]
  const value = fc.oneof(
    leaf,
    fc.array(leaf, { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), leaf),
  )
  const object = fc.dictionary(fc.constantFrom(...names, '__proto__', ''), value)
  const body = fc.oneof(
    object.map((one) => JSON.stringify(one)),
    fc.array(fc.oneof(object, value), { maxLength: 4 }).map((list) => JSON.stringify(list)),
    fc.array(object, { maxLength: 3 }).map((list) => JSON.stringify({ checks: list })),
    fc.string(),
    fc
      .array(fc.constantFrom('id', ',', '\n', '"', 'a', '5m', 'period'), { maxLength: 12 })
      .map((parts) => parts.join('')),
  )
  const query = fc.record(
    Object.fromEntries(
      [
        'state',
        'tag',
        'q',
        'cursor',
        'limit',
        'project',
        'device',
        'open',
        'from',
        'to',
        'by',
        'tz',
        'count',
      ].map((name) => [
        name,
        fc.oneof(odd, fc.constantFrom('1', 'day', 'month', 'up', 'W10', 'WzEsIiJd', 'csv')),
      ]),
    ),
    { requiredKeys: [] },
  )
  const requests = fc.constantFrom(
    'POST /api/devices',
    'PUT /api/devices/a',
    'PUT /api/devices/%00',
    'POST /api/beats',
    'POST /api/beats?create=1',
    'POST /api/import',
    'POST /api/devices/a/pause',
    'POST /api/check',
    'GET /api/devices',
    'GET /api/devices/a',
    'GET /api/devices/%E0%A4%A',
    'GET /api/downtimes',
    'GET /api/uptime',
    'GET /api/checks',
  )
  const answers = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(requests, body, query, async (request, text, given) => {
      const [method = '', path = ''] = request.split(' ')
      const search = new URLSearchParams(
        Object.entries(given).map(([name, one]) => [name, String(one).toWellFormed()]),
      )
      const url = `${path}${path.includes('?') ? '&' : '?'}${search}`
      const secret = path.startsWith('/api/beats') ? here.project.ingestKey : here.adminToken
      const response = await here.app.request(url, {
        method,
        headers: { authorization: `Bearer ${secret}` },
        ...(method === 'GET' ? {} : { body: text }),
      })
      await response.text()
      assert.ok(
        response.status < 500,
        `${response.status} for ${method} ${url} ${text.slice(0, 300)}\n${here.problems.join('\n')}`,
      )
      answers.set(response.status, (answers.get(response.status) ?? 0) + 1)
    }),
    { seed: SEED, numRuns: RUNS },
  )
  for (const status of [200, 400]) assert.ok((answers.get(status) ?? 0) > RUNS / 50, `hardly ever ${status}`)
})
