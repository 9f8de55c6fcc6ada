import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimsVerbs } from './claims-verbs.ts'
import { outboxVerbs } from './outbox-verbs.ts'
import { together } from './together.ts'
import { createWorld, EDGE } from './world.ts'

const verbs = [...claimsVerbs, ...outboxVerbs]

test('every two verbs, in every order, with a crash in every place', async (context) => {
  const world = await createWorld()
  const sums = { pairs: 0, orders: 0, crashes: 0 }
  const observed: Record<string, number> = {}
  for (const early of verbs) {
    for (const late of verbs) {
      // To the one the claim and the leases are in their last millisecond, to the other they are over.
      const parts = {
        early: { verb: early, now: EDGE, holder: 'early' },
        late: { verb: late, now: EDGE + 1, holder: 'late' },
      }
      const report = await together(world, parts, { crash: 'every' }).catch((error) => {
        throw new Error(`${early.name} at ${EDGE}, ${late.name} at ${EDGE + 1}: ${error.message}`, {
          cause: error,
        })
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

const mustSee = [
  'loser',
  'takeover after expiry',
  'killed between two statements',
  'went on after a lost answer',
  'lost its claim or lease',
  'guard refused',
  'lease taken over',
]
