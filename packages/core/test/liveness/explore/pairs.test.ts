import assert from 'node:assert/strict'
import { test } from 'node:test'
import { together } from './together.ts'
import { verbs } from './verbs.ts'
import { createWorld, NOW } from './world.ts'

for (const atomic of [true, false]) {
  const how = atomic ? 'a batch is all or nothing' : 'no batch is atomic'
  test(`every two verbs of liveness, in every order, with a crash in every place; ${how}`, async (context) => {
    const world = await createWorld({ atomic })
    const sums = { pairs: 0, orders: 0, crashes: 0 }
    const observed: Record<string, number> = {}
    for (const [index, early] of verbs.entries()) {
      for (const late of verbs.slice(index)) {
        const parts = { early: { verb: early, now: NOW }, late: { verb: late, now: NOW + 1 } }
        const report = await together(world, parts, { crash: 'every' }).catch((error) => {
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
  })
}

const mustSee = [
  'raced',
  'came too late',
  'came back',
  'removed meanwhile',
  'killed between two statements',
  'went on after a lost answer',
  'unknown',
]
