import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClaims, type RunOutcome } from '../../src/claims/index.ts'
import { fakeTimers, freshDriver, type Mishap, unreliable } from './given.ts'

/** Work of `minutes` under a claim of three minutes, on a clock that goes with the elapsed time. */
async function working(mishaps: Record<string, Record<number, Mishap>> = {}) {
  const { driver, sent } = unreliable(await freshDriver(), mishaps)
  const fake = fakeTimers()
  const clock = () => 1_700_000_000_000 + fake.timers.elapsed()
  const options = { ttl: '3m', timers: fake.timers, clock, lookFirst: false } as const
  const claims = createClaims(driver, options)
  const signals: AbortSignal[] = []
  const run = (minutes: number): Promise<RunOutcome<string>> =>
    claims.run('k', {}, async (_, signal) => {
      signals.push(signal)
      await fake.timers.sleep(minutes * 60_000)
      return signal.aborted ? 'aborted' : 'in peace'
    })
  return { claims, run, sent, signals, ...fake }
}

test('a claim is renewed while the work goes on, and freed when it ends', async () => {
  const { claims, run, sent, pass } = await working()
  const outcome = run(10)
  for (let minute = 0; minute < 10; minute++) {
    await pass(59_000)
    assert.equal((await claims.inspect('k'))?.state, 'held', `minute ${minute}`)
    await pass(1000)
  }
  assert.deepEqual(await outcome, { ran: true, value: 'in peace', lost: false })
  assert.equal((await claims.inspect('k'))?.state, 'free')
  await pass(600_000)
  assert.equal(sent.filter((name) => name === 'claims.renew').length, 9, 'none after the end')
})

test('the signal comes as soon as the claim is known to be lost, and nothing of the next one is freed', async () => {
  const { claims, run, signals, pass } = await working()
  const outcome = run(10)
  await pass(30_000)
  const mine = await claims.inspect('k')
  await claims.release({ key: 'k', token: mine!.token })
  const next = await claims.acquireOrThrow('k')
  await pass(31_000)
  assert.equal(signals[0]?.reason.code, 'CONFLICT')
  await pass(600_000)
  assert.deepEqual(await outcome, { ran: true, value: 'aborted', lost: true })
  assert.equal((await claims.inspect('k'))?.token, next.token)
})

test('one renewal that fails is tried again in time', async () => {
  const { run, signals, pass } = await working({ 'claims.renew': { 1: 'never sent', 2: 'answer lost' } })
  const outcome = run(10)
  await pass(600_000)
  assert.deepEqual(await outcome, { ran: true, value: 'in peace', lost: false })
  assert.equal(signals[0]?.aborted, false)
})

test('without any answer the claim is given up a margin before its end', async () => {
  const never = Object.fromEntries(
    Array.from({ length: 99 }, (_, index) => [index + 1, 'never sent' as const]),
  )
  const { run, signals, pass } = await working({ 'claims.renew': never })
  const outcome = run(10)
  await pass(3 * 60_000 - 18_000 - 1)
  assert.equal(signals[0]?.aborted, false)
  await pass(1)
  assert.equal(signals[0]?.aborted, true)
  await pass(600_000)
  assert.deepEqual(await outcome, { ran: true, value: 'aborted', lost: true })
})

test('a renewal that never comes back does not keep the claim alive', async () => {
  const plain = await freshDriver()
  const hanging = {
    ...plain,
    execute: (given: Parameters<typeof plain.execute>[0]) =>
      given.name === 'claims.renew' ? new Promise<never>(() => {}) : plain.execute(given),
  }
  const { timers, pass } = fakeTimers()
  const claims = createClaims(hanging, {
    ttl: 1000,
    timers,
    clock: () => 1_700_000_000_000 + timers.elapsed(),
  })
  const outcome = claims.run('k', {}, async (_, signal) => {
    await timers.sleep(899)
    const early = signal.aborted
    await timers.sleep(2)
    return [early, signal.aborted]
  })
  await pass(2000)
  assert.deepEqual(await outcome, { ran: true, value: [false, true], lost: true })
})

test('trust is counted from before the question: a slow answer makes it no longer', async () => {
  const plain = await freshDriver()
  const { timers, pass } = fakeTimers()
  const slow = {
    ...plain,
    async execute(given: Parameters<typeof plain.execute>[0]) {
      const rows = await plain.execute(given)
      if (given.name === 'claims.acquire') await timers.sleep(600)
      return given.name === 'claims.renew' ? new Promise<never>(() => {}) : rows
    },
  }
  const claims = createClaims(slow, { ttl: 1000, timers, clock: () => 1_700_000_000_000 + timers.elapsed() })
  const outcome = claims.run('k', {}, async (_, signal) => {
    await timers.sleep(301)
    return signal.aborted
  })
  await pass(5000)
  assert.deepEqual(await outcome, { ran: true, value: true, lost: true })
})

test("the caller's own signal is handed on, and ends nothing by itself", async () => {
  const { claims } = await working()
  const controller = new AbortController()
  const outcome = await claims.run('k', { signal: controller.signal }, (_, signal) => {
    controller.abort(new Error('enough'))
    return signal.reason.message
  })
  assert.deepEqual(outcome, { ran: true, value: 'enough', lost: false })
  await assert.rejects(
    claims.run('k', { signal: controller.signal }, () => 1),
    /enough/,
  )
})
