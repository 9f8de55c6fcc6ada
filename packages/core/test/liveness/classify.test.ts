import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Classification, classify, type Reading, type Tick } from '../../src/liveness/classify.ts'
import type { SubjectState } from '../../src/liveness/types.ts'

const MINUTE = 60_000
const NOW = 1_000 * MINUTE
const thresholds = { downAfterMs: 5 * MINUTE, mass: { share: 0.5, least: 5, holdTicks: 2 } }
const tick: Tick = { everyMs: MINUTE, lastTick: NOW - MINUTE }
const up = (id: string, lastSeen: number, fields: Partial<Reading> = {}): Reading => ({
  id,
  state: 'up',
  lastSeen,
  beats: 3,
  armedAt: 0,
  ...fields,
})

const anything = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    -1,
    0,
    NOW,
  ),
  fc.integer({ min: NOW - 10 * MINUTE, max: NOW + 10 * MINUTE }),
  fc.maxSafeInteger(),
  fc.double(),
)
const state = fc.constantFrom<SubjectState>('new', 'up', 'down', 'paused', 'gone' as 'up')
const wild = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', ''),
  state,
  lastSeen: anything,
  beats: anything,
  armedAt: anything,
  downAfterMs: anything,
  lateAfterMs: anything,
  deadline: anything,
  downSince: anything,
}) as fc.Arbitrary<Reading>
const wildSnapshot = fc.array(fc.oneof(wild, fc.constantFrom(null, undefined, {}))) as fc.Arbitrary<Reading[]>
const wildTick = fc.record({
  everyMs: anything,
  lastTick: anything,
  rearmedAt: anything,
  suspectSince: anything,
  due: anything,
  up: anything,
}) as fc.Arbitrary<Tick>
const wildThresholds = fc.record({
  downAfterMs: anything,
  lateAfterMs: anything,
  mass: fc.record({ share: anything, least: anything, holdTicks: anything }),
}) as fc.Arbitrary<typeof thresholds>

const sane = fc.record({
  id: fc.uuid(),
  state: fc.constantFrom<SubjectState>('new', 'up', 'down', 'paused'),
  lastSeen: fc.option(fc.integer({ min: NOW - 20 * MINUTE, max: NOW })),
  beats: fc.nat(),
  armedAt: fc.integer({ min: NOW - 20 * MINUTE, max: NOW }),
  downSince: fc.integer({ min: NOW - 20 * MINUTE, max: NOW }),
})

const all = ({ newlyDown, recovered, unchanged }: Classification) => [
  ...newlyDown,
  ...recovered,
  ...unchanged,
]
const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)

test('whatever it is given: no throw, no NaN, and each id in exactly one list', () => {
  fc.assert(
    fc.property(wildSnapshot, anything, wildThresholds, wildTick, (snapshot, now, given, ticked) => {
      const found = classify(snapshot, now as number, given, ticked)
      const expected = new Set(snapshot.flatMap((each) => (typeof each?.id === 'string' ? [each.id] : [])))
      assert.deepEqual(ids(all(found)).sort(), [...expected].sort())
      for (const { effectiveAt, guard } of [...found.newlyDown, ...found.recovered]) {
        assert.ok(Number.isFinite(effectiveAt) && effectiveAt <= (now as number), `${effectiveAt}`)
        assert.ok(guard.lastSeen === null || Number.isFinite(guard.lastSeen))
        assert.ok(Number.isFinite(guard.beats))
      }
      assert.ok(found.suspectSince === null || Number.isFinite(found.suspectSince))
    }),
    { numRuns: 2000 },
  )
})

test('the order and the repetition of the readings do not matter, and nothing is changed', () => {
  const shuffled = wildSnapshot.chain((snapshot) =>
    fc.tuple(
      fc.constant(snapshot),
      fc.shuffledSubarray([...snapshot, ...snapshot], { minLength: snapshot.length * 2 }),
    ),
  )
  fc.assert(
    fc.property(shuffled, wildTick, ([snapshot, other], ticked) => {
      const before = JSON.stringify(snapshot)
      const found = classify(snapshot, NOW, thresholds, ticked)
      assert.deepEqual(found, classify(other, NOW, thresholds, ticked))
      assert.equal(JSON.stringify(snapshot), before)
    }),
  )
})

test('down is who has been silent for as long as the threshold says, to the millisecond', () => {
  fc.assert(
    fc.property(sane, (reading) => {
      const { newlyDown } = classify([reading], NOW, thresholds, tick)
      const since = Math.max(reading.lastSeen ?? reading.armedAt, reading.armedAt)
      const down = reading.state === 'up' && NOW - since >= thresholds.downAfterMs
      assert.deepEqual(
        newlyDown.map(({ id, effectiveAt }) => [id, effectiveAt]),
        down ? [[reading.id, since]] : [],
      )
    }),
  )
})

test('whoever is proposed as down is not proposed again a moment after a beat', () => {
  fc.assert(
    fc.property(sane, fc.integer({ min: 1, max: thresholds.downAfterMs }), (reading, ago) => {
      const beaten = { ...reading, lastSeen: NOW - ago + 1, beats: reading.beats + 1 }
      assert.deepEqual(classify([beaten], NOW, thresholds, tick).newlyDown, [])
    }),
  )
})

test('a subject that is back has a beat that is newer than its outage, and is not due itself', () => {
  fc.assert(
    fc.property(sane, (reading) => {
      const back = classify([{ ...reading, state: 'down' }], NOW, thresholds, tick).recovered.length === 1
      const { lastSeen, armedAt, downSince } = reading
      const alive = lastSeen !== null && Math.max(lastSeen, armedAt) + thresholds.downAfterMs > NOW
      assert.equal(back, alive && lastSeen! > downSince)
    }),
  )
})

test('a gap or a clock that stepped back proposes nobody as down, and still finds who came back', () => {
  const readings = [up('a', 0), up('b', NOW - 1, { state: 'down', downSince: NOW - 2 })]
  for (const [lastTick, verdict, reason] of [
    [NOW - 3 * MINUTE - 1, 'catchUp', 'catching up'],
    [NOW + 1, 'normal', 'clock stepped back'],
  ] as const) {
    const found = classify(readings, NOW, thresholds, { ...tick, lastTick })
    assert.equal(found.verdict, verdict)
    assert.deepEqual(found.newlyDown, [])
    assert.deepEqual(ids(found.recovered), ['b'])
    assert.deepEqual(found.unchanged, [{ id: 'a', reason }])
  }
  assert.equal(classify(readings, NOW, thresholds, { ...tick, lastTick: NOW - 3 * MINUTE }).verdict, 'normal')
})

test('after waking, nobody is down before the threshold has passed anew', () => {
  const rearmedAt = NOW - thresholds.downAfterMs
  const at = (now: number) => classify([up('a', 0)], now, thresholds, { ...tick, lastTick: now, rearmedAt })
  assert.deepEqual(at(NOW - 1).unchanged, [{ id: 'a', reason: 'alive' }])
  assert.deepEqual(ids(at(NOW).newlyDown), ['a'])
  assert.equal(at(NOW).newlyDown[0]!.effectiveAt, rearmedAt)
})

test('half of the fleet, and at least five: held for two ticks, then proposed together', () => {
  const dead = ['a', 'b', 'c', 'd', 'e'].map((id) => up(id, 0))
  const alive = ['f', 'g', 'h', 'i', 'j'].map((id) => up(id, NOW + 60 * MINUTE))
  const fleet = [...dead, ...alive]
  let suspectSince: number | null = null
  for (const [minute, held] of [
    [0, true],
    [1, true],
    [2, false],
    [3, false],
  ] as const) {
    const now = NOW + minute * MINUTE
    const found: Classification = classify(fleet, now, thresholds, {
      everyMs: MINUTE,
      lastTick: now,
      suspectSince,
    })
    assert.equal(found.verdict, 'massSuspect')
    assert.equal(found.newlyDown.length, held ? 0 : 5)
    assert.equal(found.suspectSince, NOW)
    suspectSince = found.suspectSince
  }
  for (const others of [fleet.slice(1), [...fleet, up('k', NOW)]]) {
    const found = classify(others, NOW, thresholds, { ...tick, suspectSince: NOW - MINUTE })
    assert.equal(found.verdict, 'normal')
    assert.equal(found.suspectSince, null)
  }
})

test('a batch is judged by the whole: counts of all that are due and up', () => {
  const batch = ['a', 'b', 'c'].map((id) => up(id, 0))
  const verdict = (due: number, all: number) =>
    classify(batch, NOW, thresholds, { ...tick, due, up: all }).verdict
  assert.equal(verdict(500, 1000), 'massSuspect')
  assert.equal(verdict(500, 1001), 'normal')
  assert.equal(verdict(4, 4), 'normal')
})

test('a new subject is nobody’s outage, unless it had to appear', () => {
  const fresh: Reading = { id: 'a', state: 'new', lastSeen: null, beats: 0, armedAt: NOW - 9 * MINUTE }
  assert.deepEqual(classify([fresh], NOW, thresholds, tick).unchanged, [{ id: 'a', reason: 'not expected' }])
  const expected = (deadline: number) => classify([{ ...fresh, deadline }], NOW, thresholds, tick)
  assert.deepEqual(ids(expected(NOW + 1).newlyDown), [])
  const [proposal] = expected(NOW).newlyDown
  assert.deepEqual(
    [proposal?.reason, proposal?.effectiveAt, proposal?.guard],
    ['never appeared', NOW - 9 * MINUTE, { state: 'new', lastSeen: null, beats: 0 }],
  )
})

test('a deadline of its own counts from when it was expected, not from the last beat', () => {
  const nightly = up('backup', NOW - 600 * MINUTE, { deadline: NOW, downAfterMs: 30 * MINUTE })
  assert.equal(classify([nightly], NOW, thresholds, tick).newlyDown[0]?.effectiveAt, NOW - 30 * MINUTE)
  assert.deepEqual(classify([nightly], NOW - 1, thresholds, { ...tick, lastTick: null }).newlyDown, [])
})

test('late is said of who is up and silent for long enough', () => {
  const reason = (lateAfterMs: number | null) =>
    classify([up('a', NOW - MINUTE, { lateAfterMs })], NOW, thresholds, tick).unchanged[0]?.reason
  assert.deepEqual([reason(MINUTE), reason(MINUTE + 1), reason(null)], ['late', 'alive', 'alive'])
})

test('nothing in, nothing out', () => {
  for (const snapshot of [[], null, undefined]) {
    const nothing = { verdict: 'normal', newlyDown: [], recovered: [], unchanged: [], suspectSince: null }
    assert.deepEqual(classify(snapshot, NOW, thresholds, tick), nothing)
  }
})
