import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClaims, memoryCache, type NearCache } from '../../src/claims/index.ts'
import { fakeTimers, freshDriver, unreliable } from './given.ts'

/** Claims with a cache, on a clock of their own that goes with the elapsed time. */
async function cached(options: { near?: NearCache; nearFor?: number | 'window' } = {}) {
  const { driver, sent } = unreliable(await freshDriver(), {})
  const { timers, pass } = fakeTimers()
  const clock = () => 1_700_000_000_000 + timers.elapsed()
  const near = options.near ?? memoryCache({ timers })
  const claims = createClaims(driver, { ttl: 60_000, clock, timers, lookFirst: false, ...options, near })
  return { claims, sent, pass, driver, timers, clock }
}

test('a loss is remembered: asking again costs no query', async () => {
  const { claims, sent, pass } = await cached()
  await claims.acquire('k')
  const lost = await claims.acquire('k')
  const queries = sent.length
  assert.deepEqual(await claims.acquire('k'), lost)
  await pass(400)
  assert.deepEqual(await claims.acquire('k'), { ...lost, retryAfterMs: 59_601 })
  assert.equal(sent.length, queries)
})

test('it is asked again after one second, since the key may be freed early', async () => {
  const { claims, sent, pass } = await cached()
  const claim = await claims.acquireOrThrow('k')
  await claims.acquire('k')
  await pass(999)
  const queries = sent.length
  await claims.acquire('k')
  assert.equal(sent.length, queries)
  await pass(1)
  await claims.acquire('k')
  assert.ok(sent.length > queries)
  await claims.release(claim)
})

test('what nobody frees early is remembered almost to its end, and never beyond', async () => {
  for (const given of [{ nearFor: 'window' as const }, {}]) {
    const { claims, sent, pass } = await cached(given)
    const claim = await claims.acquireOrThrow('k')
    if (given.nearFor === undefined) await claims.complete(claim, 'result')
    const lost = await claims.acquire('k')
    const queries = sent.length
    await pass(59_000)
    assert.deepEqual(await claims.acquire('k'), { ...lost, retryAfterMs: 1001 })
    assert.equal(sent.length, queries)
    await pass(1000)
    assert.equal((await claims.acquire('k')).won, false, 'the exact end: asked, and still held')
    assert.ok(sent.length > queries)
    await pass(1)
    assert.ok((await claims.acquire('k')).won)
  }
})

test('the time that the query took is taken off', async () => {
  const { claims, driver, timers, clock } = await cached()
  await claims.acquire('k', { ttl: 500 })
  const slow = fakeTimers()
  const forMs: number[] = []
  const near: NearCache = { get: () => undefined, put: (_key, _loss, ms) => void forMs.push(ms) }
  const slowly = {
    ...driver,
    async execute(given: Parameters<typeof driver.execute>[0]) {
      const rows = await driver.execute(given)
      await slow.pass(50)
      return rows
    },
  }
  const own = createClaims(slowly, {
    ttl: 500,
    timers: slow.timers,
    clock,
    near,
    nearFor: 'window',
    lookFirst: false,
  })
  await own.acquire('k')
  assert.equal(timers.elapsed(), 0)
  assert.deepEqual(forMs, [500 - 5 - 100])
})

test('freeing a key makes this process forget that it was lost', async () => {
  const { claims } = await cached({ nearFor: 'window' })
  const claim = await claims.acquireOrThrow('k')
  await claims.acquire('k')
  await claims.release(claim)
  assert.ok((await claims.acquire('k')).won)
})

test('the cache never says yes, and is not asked by who holds the key, brings a clock, runs or waits', async () => {
  const { claims, sent } = await cached({ nearFor: 'window' })
  const claim = await claims.acquireOrThrow('k', { holder: 'anna' })
  await claims.acquire('k')
  const asked = async (work: Promise<unknown>) => {
    const before = sent.length
    await work
    return sent.length > before
  }
  assert.ok(await asked(claims.acquire('k', { holder: 'anna' })))
  assert.ok(await asked(claims.acquire('k', { now: 1_700_000_000_000 })))
  assert.ok(await asked(claims.run('k', {}, () => 1)))
  assert.ok(await asked(claims.once('k', {}, () => 1)))
  assert.ok(!(await asked(claims.acquire('k'))))
  assert.equal(claim.holder, 'anna')
})

test('tables and scopes that share a cache share no keys', async () => {
  const { driver, timers, clock } = await cached()
  const near = memoryCache({ timers })
  const on = (scope?: string) =>
    createClaims(driver, { ttl: 1000, clock, timers, near, scope, nearFor: 'window' })
  await on().acquire('k')
  assert.equal((await on().acquire('k')).won, false)
  assert.ok((await on('s').acquire('k')).won)
})

test('the cache in memory is bounded, and lets the oldest go', () => {
  const near = memoryCache({ entries: 2 })
  const loss = { won: false, reason: 'held', expiresAt: 1, retryAfterMs: 1, token: 1, holder: 'x' } as const
  for (const key of ['a', 'b', 'c']) near.put(key, loss, 1000)
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => near.get(key) !== undefined),
    [false, true, true],
  )
  near.put('b', null, 0)
  assert.equal(near.get('b'), undefined)
})

test('an asynchronous store with times to live can stand behind it', async () => {
  const { timers, pass, driver, clock } = await cached()
  const store = new Map<string, { value: string; until: number }>()
  // The recipe for a shared store such as Workers KV: the end of the loss is kept in the value.
  const near: NearCache = {
    async get(key) {
      const found = store.get(key)
      if (found === undefined) return undefined
      const { loss, since, until } = JSON.parse(found.value)
      const leftMs = until - timers.elapsed()
      return leftMs > 0 ? { loss, leftMs, agedMs: timers.elapsed() - since } : undefined
    },
    async put(key, loss, forMs) {
      if (loss === null) return void store.delete(key)
      const since = timers.elapsed()
      const until = since + forMs
      store.set(key, { value: JSON.stringify({ loss, since, until }), until })
    },
  }
  const claims = createClaims(driver, { ttl: 1000, clock, timers, near, nearFor: 'window' })
  await claims.acquire('k')
  await claims.acquire('k')
  await pass(500)
  const hit = await claims.acquire('k')
  assert.deepEqual([hit.won, !hit.won && hit.reason !== 'unknown' && hit.retryAfterMs], [false, 501])
  await pass(501)
  assert.ok((await claims.acquire('k')).won)
})
