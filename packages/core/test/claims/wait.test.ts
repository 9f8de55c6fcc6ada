import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClaims } from '../../src/claims/index.ts'
import type { Statement } from '../../src/port/driver.ts'
import { fakeTimers, freshDriver } from './given.ts'

async function waiting(random = 0) {
  const driver = await freshDriver()
  const fake = fakeTimers({ random })
  const clock = () => 1_700_000_000_000 + fake.timers.elapsed()
  const claims = createClaims(driver, { ttl: '1h', timers: fake.timers, clock, lookFirst: true })
  return { claims, ...fake }
}

test('the pause grows to a limit and no further, however long one waits', async () => {
  // synapse #19315: a delay that doubled without end.
  const { claims, pass, slept } = await waiting(1)
  await claims.acquire('k', { ttl: '2d' })
  const waited = claims.wait('k', { timeout: '1h' })
  await pass(3_600_000)
  const outcome = await waited
  assert.ok(!outcome.won && outcome.reason === 'held')
  assert.deepEqual(slept.slice(0, 8), [50, 100, 200, 400, 800, 1600, 3200, 5000])
  assert.equal(Math.max(...slept), 5000)
  assert.equal(slept.length, Math.ceil((3_600_000 - 6350) / 5000) + 7)
})

test('those who wait are spread over half of the pause', async () => {
  const { claims, pass, slept } = await waiting(0)
  await claims.acquire('k')
  const waited = claims.wait('k', { timeout: 300 })
  await pass(300)
  await waited
  assert.deepEqual(slept, [25, 50, 100, 125], 'the last pause ends with the timeout')
})

test('nobody sleeps past the end of the window', async () => {
  const { claims, pass, slept } = await waiting(1)
  await claims.acquire('k', { ttl: 120 })
  const waited = claims.wait('k')
  await pass(121)
  assert.ok((await waited).won)
  assert.deepEqual(slept, [50, 71])
})

test('a key that is done is not waited for', async () => {
  const { claims, slept } = await waiting()
  await claims.complete(await claims.acquireOrThrow('k'), 7)
  const outcome = await claims.wait('k')
  assert.ok(!outcome.won && outcome.reason === 'done' && outcome.result === 7)
  assert.deepEqual(slept, [])
})

test('a key that is freed is won at the next try', async () => {
  const { claims, pass } = await waiting()
  const claim = await claims.acquireOrThrow('k')
  const waited = claims.wait('k')
  await pass(1000)
  await claims.release(claim)
  await pass(5000)
  assert.ok((await waited).won)
})

test('a signal ends the wait, before it begins and in the middle of it', async () => {
  const { claims, pass } = await waiting()
  await claims.acquire('k')
  const reason = new Error('enough')
  await assert.rejects(claims.wait('k', { signal: AbortSignal.abort(reason) }), reason)
  const controller = new AbortController()
  const waited = assert.rejects(claims.wait('k', { signal: controller.signal }), reason)
  await pass(10)
  controller.abort(reason)
  await waited
})

test('waiting never gives a claim that was over before it arrived', async () => {
  const plain = await freshDriver()
  const { timers, pass } = fakeTimers()
  const slow = {
    ...plain,
    async execute(given: Statement) {
      const rows = await plain.execute(given)
      if (given.name === 'claims.acquire' && timers.elapsed() === 0) await timers.sleep(500)
      return rows
    },
  }
  const clock = () => 1_700_000_000_000 + timers.elapsed()
  const claims = createClaims(slow, { ttl: 100, timers, clock, lookFirst: false })
  const waited = claims.wait('k')
  await pass(1000)
  const claim = await waited
  assert.ok(claim.won)
  assert.ok(claim.expiresAt >= 1_700_000_000_000 + 500 + 100, 'it is one of a later try')
})
