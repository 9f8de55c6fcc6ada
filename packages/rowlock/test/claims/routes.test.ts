import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, MINUTE, openHub, START } from '../hub.ts'

const iso = (at: number) => new Date(at).toISOString()

test('one caller wins a key, the others are told when to come again', async () => {
  const here = await openHub()
  const first = await ask(here, 'POST /api/claims/acquire', { key: 'nightly', ttl: '15m', id: 'node-1' })
  assert.deepEqual(first.body, {
    won: true,
    key: 'nightly',
    token: START,
    holder: 'admin/node-1',
    expiresAt: iso(START + 15 * MINUTE),
    from: 'first',
  })
  const second = await ask(here, 'POST /api/claims/acquire', { key: 'nightly', ttl: '15m', id: 'node-2' })
  assert.deepEqual([second.status, second.body.won, second.body.reason], [200, false, 'held'])
  assert.equal(second.body.retryAfterMs, 15 * MINUTE + 1)
  const again = await ask(here, 'POST /api/claims/acquire', { key: 'nightly', ttl: '15m', id: 'node-1' })
  assert.deepEqual([again.body.won, again.body.token], [true, START], 'a lost answer is found again')
})

test('a claim is renewed, completed with a result, and released by its token alone', async () => {
  const here = await openHub()
  const acquire = async (key: string) =>
    (await ask(here, 'POST /api/claims/acquire', { key, ttl: '1m' })).body
  const { token } = await acquire('a')
  here.now += 30_000
  const renewed = await ask(here, 'POST /api/claims/renew', { key: 'a', token, ttl: '1m' })
  assert.deepEqual(renewed.body, { renewed: true, expiresAt: iso(here.now + MINUTE) })
  assert.deepEqual((await ask(here, 'POST /api/claims/renew', { key: 'a', token: 7, ttl: '1m' })).body, {
    renewed: false,
    reason: 'lost',
  })

  const completed = await ask(here, 'POST /api/claims/complete', { key: 'a', token, result: { sent: 3 } })
  assert.equal(completed.body.completed, true)
  const late = await acquire('a')
  assert.deepEqual([late.reason, late.result], ['done', { sent: 3 }])

  const other = await acquire('b')
  assert.deepEqual((await ask(here, 'POST /api/claims/release', { key: 'b', token: other.token })).body, {
    released: true,
  })
  assert.equal((await acquire('b')).from, 'again')
})

test('claims are listed page by page', async () => {
  const here = await openHub()
  for (const key of ['job:a', 'job:b', 'job:c', 'other'])
    await ask(here, 'POST /api/claims/acquire', { key, ttl: '1m' })
  const keysOf = (body: Record<string, unknown>) => (body.claims as { key: string }[]).map(({ key }) => key)
  const first = await ask(here, 'GET /api/claims?prefix=job:&limit=2')
  assert.deepEqual(keysOf(first.body), ['job:a', 'job:b'])
  const second = await ask(
    here,
    `GET /api/claims?prefix=job:&limit=2&cursor=${encodeURIComponent(String(first.body.next))}`,
  )
  assert.deepEqual([keysOf(second.body), second.body.next], [['job:c'], null])
  here.now += 2 * MINUTE
  assert.deepEqual(keysOf((await ask(here, 'GET /api/claims?state=held')).body), [])
})

test('malformed input is refused and named', async () => {
  const here = await openHub()
  const wrong: [string, object, string][] = [
    ['acquire', {}, 'key'],
    ['acquire', { key: 5, ttl: '1m' }, 'key'],
    ['acquire', { key: '', ttl: '1m' }, 'key'],
    ['acquire', { key: 'a\0', ttl: '1m' }, 'key'],
    ['acquire', { key: 'a' }, 'ttl'],
    ['acquire', { key: 'a', ttl: 0 }, 'ttl'],
    ['acquire', { key: 'a', ttl: -5 }, 'ttl'],
    ['acquire', { key: 'a', ttl: 'soon' }, 'ttl'],
    ['acquire', { key: 'a', ttl: '1m', id: '' }, 'id'],
    ['renew', { key: 'a', ttl: '1m' }, 'token'],
    ['release', { key: 'a', token: 'x' }, 'token'],
  ]
  for (const [verb, body, field] of wrong) {
    const answer = await ask(here, `POST /api/claims/${verb}`, body)
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.field],
      [400, 'INVALID_INPUT', field],
      `${verb} ${JSON.stringify(body)}`,
    )
  }
  for (const query of ['state=lost', 'limit=0', 'limit=x', 'limit=99999', 'cursor=%00']) {
    assert.equal((await ask(here, `GET /api/claims?${query}`)).status, 400, query)
  }
})
