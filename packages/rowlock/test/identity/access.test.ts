import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, MINUTE, openHub, rows, send, type TestHub } from '../hub.ts'

const event = { source: 'shop', message: 'stock ran out' }

async function token(
  here: TestHub,
  name: string,
  scopes: string[],
  project: number | null = null,
): Promise<string> {
  const { status, body } = await ask(here, 'POST /api/tokens', { name, scopes, project })
  assert.equal(status, 201)
  return String(body.secret)
}

test('only hashes of tokens are stored, and a secret is shown once', async () => {
  const here = await openHub()
  const secret = await token(here, 'ci', ['write'])
  assert.match(secret, /^rowlock_[A-Za-z0-9_-]{43}$/)
  const everything = JSON.stringify(rows(here, 'select * from rowlock_tokens'))
  assert.ok(!everything.includes(secret.slice(8)))
  const listed = await ask(here, 'GET /api/tokens')
  assert.ok(!JSON.stringify(listed.body).includes(secret.slice(8)))
  assert.ok(!JSON.stringify(listed.body).includes('hash'))
})

test('what each scope may do', async () => {
  const here = await openHub()
  const tokens = {
    none: null,
    read: await token(here, 'reader', ['read']),
    write: await token(here, 'writer', ['write']),
    ingest: await token(here, 'sender', ['ingest'], 1),
    admin: here.adminToken,
  }
  await send(here, event)
  const [issue] = rows(here, 'select id from rowlock_issues')
  const expected: [request: string, body: unknown, allowed: (keyof typeof tokens)[]][] = [
    ['GET /api/issues', undefined, ['read', 'write', 'admin']],
    [`GET /api/issues/${issue?.id}`, undefined, ['read', 'write', 'admin']],
    [`POST /api/issues/${issue?.id}/resolve`, undefined, ['write', 'admin']],
    ['GET /api/deliveries', undefined, ['read', 'write', 'admin']],
    ['GET /api/destinations', undefined, ['read', 'write', 'admin']],
    ['POST /api/destinations', { project: 1, url: 'https://example.com/' }, ['admin']],
    ['GET /api/claims', undefined, ['read', 'write', 'admin']],
    ['POST /api/claims/acquire', { key: 'k', ttl: '1m' }, ['write', 'admin']],
    ['GET /api/projects', undefined, ['read', 'write', 'admin']],
    ['PATCH /api/projects/1', { window: '2h' }, ['admin']],
    ['GET /api/tokens', undefined, ['admin']],
    ['POST /api/events', event, ['ingest', 'admin']],
  ]
  for (const [request, body, allowed] of expected) {
    for (const [name, secret] of Object.entries(tokens)) {
      const { status } = await ask(here, request, body, secret)
      const wanted = name === 'none' ? 401 : allowed.includes(name as 'read') ? 200 : 403
      const created = request === 'POST /api/destinations' && wanted === 200 ? 201 : wanted
      assert.equal(status, created, `${request} with ${name}`)
    }
  }
})

test('a token of one project reaches nothing of another', async () => {
  const here = await openHub()
  const other = await here.hub.projects.add('other', { window: '1h' })
  await send(here, event)
  await here.hub.events.accept(other, [event])
  await ask(here, 'POST /api/destinations', { project: 1, url: 'https://example.com/' })
  const secret = await token(here, 'other only', ['admin'], other.id)
  const list = await ask(here, 'GET /api/issues', undefined, secret)
  assert.deepEqual(
    (list.body.issues as { project: number }[]).map(({ project }) => project),
    [other.id],
  )
  const [foreign] = rows(here, 'select id from rowlock_issues where project = 1')
  const [destination] = rows(here, 'select id from rowlock_destinations')
  for (const request of [`GET /api/issues/${foreign?.id}`, `POST /api/issues/${foreign?.id}/resolve`]) {
    assert.equal((await ask(here, request, undefined, secret)).status, 404, request)
  }
  for (const request of [
    'GET /api/issues?project=1',
    'GET /api/claims',
    'GET /api/tokens',
    `DELETE /api/destinations/${destination?.id}`,
    'POST /api/projects/1/rotate',
  ]) {
    assert.equal((await ask(here, request, undefined, secret)).status, 403, request)
  }
  assert.deepEqual((await ask(here, 'GET /api/destinations', undefined, secret)).body.destinations, [])
  assert.equal((await ask(here, 'GET /api/projects', undefined, secret)).status, 200)
})

test('a revoked token and a rotated key are refused at once', async () => {
  const here = await openHub()
  const secret = await token(here, 'gone', ['read'])
  assert.equal((await ask(here, 'GET /api/issues', undefined, secret)).status, 200)
  assert.equal((await ask(here, 'DELETE /api/tokens/gone')).status, 200)
  assert.equal((await ask(here, 'GET /api/issues', undefined, secret)).status, 401)
  assert.equal((await ask(here, 'DELETE /api/tokens/gone')).status, 404)

  assert.equal((await send(here, event)).status, 200)
  const rotated = await ask(here, 'POST /api/projects/1/rotate')
  assert.notEqual(rotated.body.ingestKey, here.project.ingestKey)
  assert.equal((await send(here, event)).status, 401)
})

test('an ingest key only sends events', async () => {
  const here = await openHub()
  assert.equal((await ask(here, 'GET /api/issues', undefined, here.project.ingestKey)).status, 403)
  const byQuery = await here.app.request(`/api/events?key=${here.project.ingestKey}`, {
    method: 'POST',
    body: JSON.stringify(event),
  })
  assert.equal(byQuery.status, 200)
})

test('a token that reaches several projects has to name one to send events', async () => {
  const here = await openHub()
  const secret = await token(here, 'sender', ['ingest'])
  assert.equal((await ask(here, 'POST /api/events', event, secret)).status, 200) // There is only one.
  await here.hub.projects.add('other', { window: '1h' })
  assert.equal((await ask(here, 'POST /api/events', event, secret)).status, 403)
  assert.equal((await ask(here, 'POST /api/events?project=default', event, secret)).status, 200)
  assert.equal((await ask(here, 'POST /api/events?project=1', event, secret)).status, 200)
  assert.equal((await ask(here, 'POST /api/events?project=nowhere', event, secret)).status, 403)
})

test('guessing is slowed down, and who is known goes on', async () => {
  const here = await openHub()
  await ask(here, 'GET /api/issues')
  const guess = (n: number) =>
    ask(here, 'GET /api/issues', undefined, `rowlock_${String(n).padStart(43, 'x')}`)
  for (let n = 0; n < 10; n++) assert.equal((await guess(n)).status, 401)
  const refused = await guess(10)
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '60')
  assert.equal((await ask(here, 'GET /api/issues')).status, 200)
  assert.equal((await ask(here, 'GET /api/issues', undefined, 'nonsense')).status, 429)
  here.now += MINUTE + 1
  assert.equal((await guess(11)).status, 401)
})

test('names are taken once, malformed input is refused', async () => {
  const here = await openHub()
  await token(here, 'ci', ['write'])
  assert.equal((await ask(here, 'POST /api/tokens', { name: 'ci', scopes: ['read'] })).status, 409)
  for (const body of [
    {},
    { name: 'x' },
    { name: 'x', scopes: [] },
    { name: 'x', scopes: ['all'] },
    { name: 5, scopes: ['read'] },
    { name: 'x', scopes: ['read', 'read'] },
    { name: 'x', scopes: ['read'], project: 'one' },
  ]) {
    assert.equal((await ask(here, 'POST /api/tokens', body)).status, 400, JSON.stringify(body))
  }
  assert.equal((await ask(here, 'POST /api/tokens', { name: 'x', scopes: ['read'], project: 7 })).status, 404)
  assert.equal((await ask(here, 'POST /api/projects', { name: 'default' })).status, 409)
  assert.equal(
    (await ask(here, 'POST /api/projects', { name: 'shop', window: '15m' })).body.windowMs,
    900_000,
  )
  for (const window of [0, -1, 'soon', 1.5, null]) {
    assert.equal((await ask(here, 'PATCH /api/projects/1', { window })).status, 400, String(window))
  }
})

test('the way back in: a reset token works, whatever became of the old one', async () => {
  const here = await openHub()
  await ask(here, 'DELETE /api/tokens/admin')
  const { secret } = await here.hub.tokens.reset('admin', { scopes: ['admin'] })
  assert.equal((await ask(here, 'GET /api/tokens', undefined, secret)).status, 200)
  assert.equal((await ask(here, 'GET /api/tokens')).status, 401)
})

test('the first token is made once, whoever starts', async () => {
  const here = await openHub()
  assert.equal((await here.hub.install()).firstToken, undefined)
  assert.deepEqual(rows(here, 'select count(*) as count from rowlock_projects'), [{ count: 1 }])
})
