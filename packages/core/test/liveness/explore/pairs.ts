import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { ExploreOptions } from '../../../src/testing/index.ts'
import { together } from './together.ts'
import { verbs } from './verbs.ts'
import { createWorld, NOW } from './world.ts'

const mustSee = [
  'raced',
  'came too late',
  'came back',
  'removed meanwhile',
  'killed between two statements',
  'went on after a lost answer',
  'unknown',
]

/** Every two verbs of liveness, the one a millisecond later than the other. */
export async function everyTwoVerbs(
  context: TestContext,
  crash: NonNullable<ExploreOptions['crash']>,
): Promise<void> {
  const world = await createWorld()
  const sums = { pairs: 0, orders: 0, crashes: 0 }
  const observed: Record<string, number> = {}
  for (const [index, early] of verbs.entries()) {
    for (const late of verbs.slice(index)) {
      const parts = { early: { verb: early, now: NOW }, late: { verb: late, now: NOW + 1 } }
      const report = await together(world, parts, { crash }).catch((error) => {
        throw new Error(`${early.name} and ${late.name}: ${error.message}`, { cause: error })
      })
      sums.pairs += 1
      sums.orders += report.schedules
      sums.crashes += report.crashes
      for (const [label, times] of Object.entries(report.observed))
        observed[label] = (observed[label] ?? 0) + times
    }
  }
  await world.close()
  context.diagnostic(
    `${sums.pairs} pairs, ${sums.orders} orders, ${sums.crashes} of them with a crash, 0 violations`,
  )
  for (const label of mustSee) {
    context.diagnostic(`${label}: ${observed[label] ?? 0}`)
    assert.ok(observed[label], `no order showed: ${label}`)
  }
}
