import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, openHub } from '../hub.ts'

test('addresses that may not be delivered to are refused when they are entered', async () => {
  const here = await openHub()
  for (const url of [
    undefined,
    5,
    '',
    'nonsense',
    'ftp://example.com/',
    'http://localhost/',
    'http://127.0.0.1/',
    'https://[::1]/',
    'http://169.254.169.254/latest',
    'http://printer.local/',
    'https://user:word@example.com/',
    `https://example.com/${'a'.repeat(2_000)}`,
  ]) {
    const { status, body } = await ask(here, 'POST /api/destinations', { project: 1, url })
    assert.deepEqual([status, body.field], [400, 'url'], String(url))
  }
  assert.equal(
    (await ask(here, 'POST /api/destinations', { project: 99, url: 'https://example.com/' })).status,
    404,
  )
  const allowing = await openHub({ flags: { 'allow-private-destinations': true } })
  assert.equal(
    (await ask(allowing, 'POST /api/destinations', { project: 1, url: 'http://127.0.0.1:9/' })).status,
    201,
  )
})

test('the signing secret is shown once', async () => {
  const here = await openHub()
  const url = 'https://hooks.example.com/a'
  const added = await ask(here, 'POST /api/destinations', { project: 1, url })
  assert.match(String(added.body.secret), /^whsec_/)
  const listed = await ask(here, 'GET /api/destinations')
  assert.ok(!JSON.stringify(listed.body).includes('whsec_'))
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  assert.equal((await ask(here, 'POST /api/destinations', { project: 1, url, secret })).body.secret, secret)
  assert.equal(
    (await ask(here, 'POST /api/destinations', { project: 1, url, secret: 'weak' })).body.field,
    'secret',
  )
})

test('a test send says what the destination answered, or why there was no answer', async () => {
  const here = await openHub()
  const { body } = await ask(here, 'POST /api/destinations', {
    project: 1,
    url: 'https://hooks.example.com/a',
  })
  assert.deepEqual((await ask(here, `POST /api/destinations/${body.id}/test`)).body, {
    ok: true,
    status: 200,
  })
  assert.equal(JSON.parse(String(here.posts[0]?.body)).type, 'test')
  here.reply = () => {
    throw new Error('no route')
  }
  assert.deepEqual((await ask(here, `POST /api/destinations/${body.id}/test`)).body, {
    ok: false,
    status: null,
    error: 'no route',
  })
})

test('a destination is changed, switched off and on', async () => {
  const here = await openHub()
  const { body } = await ask(here, 'POST /api/destinations', {
    project: 1,
    url: 'https://hooks.example.com/a',
  })
  const change = (changes: object) => ask(here, `PATCH /api/destinations/${body.id}`, changes)
  assert.equal((await change({ url: 'https://hooks.example.com/b' })).body.url, 'https://hooks.example.com/b')
  assert.equal((await change({ enabled: false })).body.enabled, false)
  assert.equal((await change({ enabled: true, url: 'https://hooks.example.com/c' })).body.enabled, true)
  assert.equal((await change({})).status, 400)
  assert.equal((await change({ enabled: 'yes' })).status, 400)
  assert.equal((await ask(here, 'PATCH /api/destinations/wh-unknown', { enabled: true })).status, 404)
})
