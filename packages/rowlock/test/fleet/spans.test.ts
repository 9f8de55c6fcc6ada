import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { spentIn } from '../../src/fleet/history/spans.ts'

const span = (from: number, to: number) => ({ from, to })

test('down wins over what was not seen, and every millisecond counts once', () => {
  assert.deepEqual(
    spentIn(span(0, 100), {
      down: [span(10, 30), span(20, 40), span(90, 200)],
      unseen: [span(0, 15), span(35, 50), span(38, 45)],
      now: 1_000,
    }),
    { ratio: 40 / 80, upMs: 40, downMs: 40, unknownMs: 20, outages: 3 },
  )
  assert.deepEqual(spentIn(span(0, 100), { down: [], unseen: [], now: 60 }), {
    ratio: 1,
    upMs: 60,
    downMs: 0,
    unknownMs: 0,
    outages: 0,
  })
  assert.deepEqual(spentIn(span(100, 200), { down: [], unseen: [span(0, 500)], now: 300 }), {
    ratio: null,
    upMs: 0,
    downMs: 0,
    unknownMs: 100,
    outages: 0,
  })
  assert.deepEqual(spentIn(span(100, 200), { down: [span(0, 300)], unseen: [], now: 50 }).downMs, 0)
})

test('never over 100 %, never below 0, whatever the rows say', () => {
  const instant = fc.integer({ min: -1_000, max: 2_000 })
  const any = fc.tuple(instant, instant).map(([from, to]) => span(from, to))
  fc.assert(
    fc.property(any, fc.array(any), fc.array(any), instant, (whole, down, unseen, now) => {
      const { ratio, upMs, downMs, unknownMs } = spentIn(whole, { down, unseen, now })
      const length = Math.max(0, Math.min(whole.to, now) - Math.min(whole.from, whole.to, now))
      return (
        upMs >= 0 &&
        downMs >= 0 &&
        unknownMs >= 0 &&
        upMs + downMs + unknownMs === length &&
        (ratio === null || (ratio >= 0 && ratio <= 1))
      )
    }),
    { seed: 20261201, numRuns: 3_000 },
  )
})
