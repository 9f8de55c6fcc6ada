import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnavailableError } from '../../src/errors.ts'
import { idempotent } from '../../src/middleware/fetch.ts'
import { freshClaims, post, seen } from './given.ts'
import { idempotencySuite } from './suite.ts'

const principal = (request: Request) => request.headers.get('x-user')!

idempotencySuite('fetch', async (work, options) => {
  const claims = await freshClaims()
  const handler = async (request: Request) => {
    work.calls += 1
    const { status, body, headers } = await work.next(await request.json())
    const type = { 'content-type': 'application/json; charset=utf-8' }
    return new Response(status === 204 ? null : body, { status, headers: { ...type, ...headers } })
  }
  return { send: idempotent(handler, { claims, principal, ...options }) }
})

test('fetch: other methods pass, and further arguments of the handler are handed on', async () => {
  const handler = async (request: Request, env: { name: string }) => new Response(request.method + env.name)
  const wrapped = idempotent(handler, { claims: await freshClaims(), principal })
  const answer = await wrapped(new Request('http://localhost/'), { name: ' env' })
  assert.equal(await answer.text(), 'GET env')
})

test('fetch: when the key cannot be looked up nothing is done, and 503 says so', async () => {
  const claims = await freshClaims()
  const cause = new UnavailableError('gone', 'no')
  const broken = { ...claims, once: async () => ({ ran: false, reason: 'unknown', cause }) as never }
  const wrapped = idempotent(() => assert.fail('called'), { claims: broken, principal })
  const answer = await wrapped(post('/orders', {}))
  assert.equal(answer.headers.get('retry-after'), '1')
  assert.deepEqual(await seen(answer), [503, 'The Idempotency-Key could not be looked up', null])
})

test('fetch: the response is the client’s even when keeping it fails', async () => {
  const claims = await freshClaims()
  const failing = {
    ...claims,
    once: async (_key: string, _options: unknown, work: () => Promise<unknown>) => {
      await work()
      throw new Error('the disk is full')
    },
  }
  const wrapped = idempotent(() => new Response('made'), { claims: failing as never, principal })
  assert.deepEqual(await seen(await wrapped(post('/orders', {}))), [200, 'made', null])
})

test('fetch: principals and routes are kept apart whatever they hold', async () => {
  const claims = await freshClaims()
  let calls = 0
  const on = (who: string, route: string) =>
    idempotent(() => new Response(String(++calls)), { claims, principal: () => who, route: () => route })
  const pairs = [
    ['a', 'b'],
    ['a","b', ''],
    ['', 'a","b'],
    ['\0', '\ud800'],
    ['\ud800', '\0'],
  ]
  for (const [who, route] of pairs)
    assert.equal((await seen(await on(who!, route!)(post('/x', {}))))[2], null)
  assert.equal(calls, pairs.length)
})
