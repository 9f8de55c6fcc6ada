import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, MINUTE, openHub, send, type TestHub } from '../hub.ts'

const ids = (body: Record<string, unknown>) =>
  (body.issues as { fingerprint: string }[]).map(({ fingerprint }) => fingerprint)

async function withIssues(): Promise<TestHub> {
  const here = await openHub()
  const other = await here.hub.projects.add('other', { window: '1h' })
  const events = [
    { fingerprint: 'a', source: 'shop', level: 'error', message: 'Payment 50% failed_x' },
    { fingerprint: 'b', source: 'shop', level: 'info', message: 'payment done' },
    { fingerprint: 'c', source: 'db', level: 'fatal', message: 'disk full' },
  ]
  for (const event of events) {
    here.now += 1
    await send(here, event)
  }
  await here.hub.events.accept(other, [{ fingerprint: 'd', message: 'elsewhere' }])
  return here
}

test('issues are filtered by state, source, level, project and a part of their title', async () => {
  const here = await withIssues()
  await ask(here, 'POST /api/issues/1-b/resolve')
  const expected: [query: string, fingerprints: string[]][] = [
    ['', ['d', 'c', 'b', 'a']],
    ['?state=open', ['d', 'c', 'a']],
    ['?state=resolved', ['b']],
    ['?source=shop', ['b', 'a']],
    ['?level=fatal', ['c']],
    ['?project=1', ['c', 'b', 'a']],
    ['?project=other', ['d']],
    ['?q=PAYMENT', ['b', 'a']],
    ['?q=50%25', ['a']],
    ['?q=d_x', ['a']],
    ['?q=nothing', []],
    ['?q=', ['d', 'c', 'b', 'a']],
    ['?source=shop&level=info&state=resolved&q=done&project=1', ['b']],
  ]
  for (const [query, fingerprints] of expected) {
    const { status, body } = await ask(here, `GET /api/issues${query}`)
    assert.deepEqual([status, [...ids(body)].sort()], [200, [...fingerprints].sort()], query)
  }
  assert.deepEqual(ids((await ask(here, 'GET /api/issues?project=1')).body), ['c', 'b', 'a'])
})

test('pages go through all issues once, also where many were seen in the same millisecond', async () => {
  const here = await openHub()
  await send(
    here,
    Array.from({ length: 25 }, (_, n) => ({ message: 'x', fingerprint: `same-${n}` })),
  )
  here.now += MINUTE
  await send(
    here,
    Array.from({ length: 10 }, (_, n) => ({ message: 'x', fingerprint: `late-${n}` })),
  )
  const seen: string[] = []
  let cursor: unknown = null
  do {
    const { body } = await ask(here, `GET /api/issues?limit=7${cursor === null ? '' : `&cursor=${cursor}`}`)
    seen.push(...ids(body))
    cursor = body.next
  } while (cursor !== null)
  assert.equal(seen.length, 35)
  assert.equal(new Set(seen).size, 35)
  assert.ok(seen.slice(0, 10).every((id) => id.startsWith('late')))
})

test('wrong filters are refused and named', async () => {
  const here = await openHub()
  for (const [query, field] of [
    ['state=closed', 'state'],
    ['level=loud', 'level'],
    ['project=nowhere', 'project'],
    ['project=99', 'project'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=ten', 'limit'],
    ['cursor=x', 'cursor'],
    ['cursor=WzEsMl0', 'cursor'],
    [`q=${'x'.repeat(201)}`, 'q'],
  ]) {
    const { status, body } = await ask(here, `GET /api/issues?${query}`)
    assert.deepEqual([status, body.field], [400, field], query)
  }
  for (const query of ['state=lost', 'limit=0', 'cursor=%E2%82%AC', 'cursor=WyJhIl0']) {
    assert.equal((await ask(here, `GET /api/deliveries?${query}`)).status, 400, query)
  }
})

test('an issue that is not there, and what cannot be done to one that is', async () => {
  const here = await withIssues()
  for (const request of [
    'GET /api/issues/1-zzz',
    'POST /api/issues/1-zzz/resolve',
    'GET /api/deliveries/7',
    'POST /api/deliveries/7/redrive',
  ]) {
    const { status, body } = await ask(here, request)
    assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], request)
  }
  assert.equal((await ask(here, 'POST /api/issues/1-a/delete')).status, 404)
  for (const body of [{}, { for: 0 }, { for: 'ever' }, { for: null }]) {
    assert.deepEqual((await ask(here, 'POST /api/issues/1-a/snooze', body)).body.field, 'for')
  }
  assert.equal((await ask(here, 'GET /api/deliveries/one')).status, 400)
})

test('every error is a problem', async () => {
  const here = await openHub()
  const request = (path: string, init: RequestInit = {}) =>
    here.app.request(path, {
      ...init,
      headers: { authorization: `Bearer ${here.adminToken}`, ...init.headers },
    })
  const json = { 'content-type': 'application/json' }
  const big = 'x'.repeat(1_048_577)
  const cases: [Response, number, string][] = [
    [await request('/nowhere'), 404, 'NOT_FOUND'],
    [await request('/api/issues', { method: 'DELETE' }), 405, 'METHOD_NOT_ALLOWED'],
    [await request('/api/events'), 405, 'METHOD_NOT_ALLOWED'],
    [
      await request('/api/claims/acquire', {
        method: 'POST',
        body: 'a=b',
        headers: { 'content-type': 'text/plain' },
      }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      await request('/api/claims/acquire', { method: 'POST', body: '{', headers: json }),
      400,
      'INVALID_INPUT',
    ],
    [
      await request('/api/claims/acquire', { method: 'POST', body: '[]', headers: json }),
      400,
      'INVALID_INPUT',
    ],
    [await request('/api/claims/acquire', { method: 'POST', body: big, headers: json }), 413, 'TOO_LARGE'],
    [await request('/api/issues', { headers: { authorization: 'Bearer nonsense' } }), 401, 'UNAUTHENTICATED'],
    [await request('/api/issues', { headers: { authorization: '' } }), 401, 'UNAUTHENTICATED'],
  ]
  for (const [response, status, code] of cases) {
    assert.equal(response.status, status, code)
    assert.equal(response.headers.get('content-type'), 'application/problem+json')
    const problem = (await response.json()) as Record<string, unknown>
    assert.deepEqual([problem.status, problem.code], [status, code])
    for (const member of ['type', 'title', 'detail']) assert.equal(typeof problem[member], 'string')
  }
  const other = await request('/api/issues/1-a', { method: 'PUT' })
  assert.equal(other.headers.get('allow'), 'GET, HEAD')
  assert.equal(
    (await request('/api/issues', { headers: { authorization: '' } })).headers.get('www-authenticate'),
    'Bearer realm="rowlock"',
  )
})

test('a body without a length is cut off at the limit while it comes', async () => {
  const here = await openHub({ flags: { 'max-body': 10_000 } })
  let given = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      given += 1
      controller.enqueue(new Uint8Array(1_000).fill(120))
    },
  })
  const init = {
    method: 'POST',
    headers: { authorization: `Bearer ${here.project.ingestKey}` },
    body: endless,
    duplex: 'half',
  }
  const response = await here.app.request('/api/events', init as RequestInit)
  assert.equal(response.status, 413)
  assert.ok(given < 20)
  const honest = await send(here, 'x'.repeat(10_001))
  assert.equal(honest.status, 413)
  const packed = await send(here, 'x', { 'content-encoding': 'br' })
  assert.equal(packed.status, 415)
})

test('a browser may send events from anywhere, and read the answer', async () => {
  const here = await openHub()
  const preflight = await here.app.request('/api/events', { method: 'OPTIONS' })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/)
  for (const body of [{ message: 'x' }, {}, 5]) {
    assert.equal((await send(here, body)).headers.get('access-control-allow-origin'), '*')
  }
  const elsewhere = await here.app.request('/api/issues', { headers: { origin: 'https://evil.example' } })
  assert.equal(elsewhere.headers.get('access-control-allow-origin'), null)
})

test('health: alive, ready, and red when deliveries stand still', async () => {
  const here = await openHub()
  assert.equal((await ask(here, 'GET /healthz', undefined, null)).status, 200)
  assert.equal((await ask(here, 'GET /readyz', undefined, null)).status, 200)
  await ask(here, 'POST /api/destinations', { project: 1, url: 'https://example.com/' })
  await send(here, { message: 'x' })
  here.now += 5 * MINUTE
  assert.equal((await ask(here, 'GET /readyz', undefined, null)).status, 200)
  here.now += 1
  const stuck = await ask(here, 'GET /readyz', undefined, null)
  assert.equal(stuck.status, 503)
  const red = (stuck.body.checks as { name: string; ok: boolean }[]).filter(({ ok }) => !ok)
  assert.deepEqual(
    red.map(({ name }) => name),
    ['deliveries'],
  )
  await here.hub.courier.round()
  assert.equal((await ask(here, 'GET /readyz', undefined, null)).status, 200)
})

test('metrics are in the text format of Prometheus', async () => {
  const here = await openHub()
  await send(here, [{ message: 'x', id: 'a' }, { message: 'x', id: 'a' }, {}])
  const text = await (await here.app.request('/metrics')).text()
  for (const line of [
    'rowlock_events_accepted_total 1',
    'rowlock_events_duplicate_total 1',
    'rowlock_events_refused_total 1',
    'rowlock_deliveries{state="pending"} 0',
  ]) {
    assert.ok(text.split('\n').includes(line), line)
  }
  for (const line of text.trim().split('\n'))
    assert.match(line, /^(# (HELP|TYPE) rowlock_\w+ .+|rowlock_\w+(\{\w+="\w+"\})? -?[\d.]+)$/)
})
