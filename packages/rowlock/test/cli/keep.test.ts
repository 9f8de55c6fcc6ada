import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keep, type Timing } from '../../src/cli/run/keep.ts'

/** A clock that is moved by hand, with the work that is planned on it. */
function clock() {
  let now = 0
  const planned: { at: number; work: () => void }[] = []
  const timing: Timing = {
    elapsed: () => now,
    after(ms, work) {
      const one = { at: now + ms, work }
      planned.push(one)
      return () => planned.splice(planned.indexOf(one), planned.includes(one) ? 1 : 0)
    },
  }
  return {
    timing,
    planned,
    /** Does what is planned up to the instant, in order, and lets answers come. */
    async until(end: number) {
      for (;;) {
        planned.sort((one, other) => one.at - other.at)
        if (planned[0] === undefined || planned[0].at > end) break
        const { at, work } = planned.shift()!
        now = at
        work()
        await new Promise((resolve) => setImmediate(resolve))
      }
      now = end
    },
  }
}

const claim = { won: true, key: 'nightly', token: 7, holder: 'a', expiresAt: '', from: 'first' } as const
const HOUR = 3_600_000
type Renewed = { renewed: boolean; reason?: 'lost' } | Error

function kept(options: { ttlMs: number; hold: boolean }, answer: (asked: number) => Renewed) {
  const time = clock()
  const asked: { at: number; ttlMs: number }[] = []
  const claiming = {
    async renew(_claim: unknown, ttlMs: number) {
      asked.push({ at: time.timing.elapsed(), ttlMs })
      const given = answer(time.timing.elapsed())
      if (given instanceof Error) throw given
      return given as never
    },
  }
  const result = keep(claiming, claim, { ...options, since: 0 }, time.timing)
  let lost: string | undefined
  void result.lost.then((why) => {
    lost = why
  })
  return { ...time, asked, stop: result.stop, lost: () => lost }
}

test('a window keeps its end while the work is done by then, and is made longer in small steps after that', async () => {
  const run = kept({ ttlMs: HOUR, hold: false }, () => ({ renewed: true }))
  await run.until(50 * 60_000)
  const latest = Math.max(...run.asked.map(({ at, ttlMs }) => at + ttlMs))
  assert.equal(latest, HOUR)
  await run.until(HOUR + 60_000)
  const { at, ttlMs } = run.asked.at(-1)!
  assert.equal(ttlMs, 60_000)
  assert.ok(at + ttlMs <= HOUR + 2 * 60_000)
  assert.equal(run.lost(), undefined)
  run.stop()
  assert.deepEqual(run.planned, [])
})

test('a lock is renewed to its full length', async () => {
  const run = kept({ ttlMs: 60_000, hold: true }, () => ({ renewed: true }))
  await run.until(600_000)
  assert.ok(run.asked.length >= 20)
  assert.ok(run.asked.every(({ ttlMs }) => ttlMs === 60_000))
  run.stop()
})

test('a claim that was taken away is lost within half a minute', async () => {
  const run = kept({ ttlMs: HOUR, hold: false }, (at) =>
    at < 100_000 ? { renewed: true } : { renewed: false, reason: 'lost' },
  )
  await run.until(130_000)
  assert.equal(run.lost(), 'somebody else may have it now')
})

test('without an answer it is relied on until a margin before its end, and not longer', async () => {
  const run = kept({ ttlMs: 60_000, hold: true }, () => new Error('nobody answers'))
  await run.until(53_999)
  assert.equal(run.lost(), undefined)
  await run.until(54_001)
  assert.equal(run.lost(), 'it could not be renewed in time')
})

test('a while without answers does no harm to a long window', async () => {
  const away = (at: number) => at > 60_000 && at < 40 * 60_000
  const run = kept({ ttlMs: HOUR, hold: false }, (at) => (away(at) ? new Error('away') : { renewed: true }))
  await run.until(50 * 60_000)
  assert.equal(run.lost(), undefined)
  run.stop()
})
