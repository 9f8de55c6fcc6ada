import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimsVerbs } from './claims-verbs.ts'
import { outboxVerbs } from './outbox-verbs.ts'
import { together } from './together.ts'
import { createWorld, EDGE } from './world.ts'

const SEED = Number(process.env.ROWLOCK_TEST_SEED ?? 20_261_201)
const verbs = [...claimsVerbs, ...outboxVerbs]

test('every three verbs, in every order, with one drawn crash in each', async (context) => {
  context.diagnostic(`seed ${SEED}`)
  const world = await createWorld()
  const sums = { triples: 0, orders: 0, crashes: 0 }
  for (const [a, first] of verbs.entries()) {
    for (const [b, second] of verbs.entries()) {
      if (b < a) continue
      for (const third of verbs.slice(b)) {
        // One of the three, each in turn, acts in the last millisecond of the claim and of the leases.
        const turn = sums.triples % 3
        const parts = Object.fromEntries(
          [first, second, third].map((verb, index) => {
            const holder = `${index + 1}`
            return [holder, { verb, holder, now: index === turn ? EDGE : EDGE + 1 }]
          }),
        )
        const seed = SEED + sums.triples
        const report = await together(world, parts, { crash: 'drawn', seed }).catch((error) => {
          throw new Error(`${first.name}, ${second.name}, ${third.name}: ${error.message}`, { cause: error })
        })
        sums.triples += 1
        sums.orders += report.schedules
        sums.crashes += report.crashes
      }
    }
  }
  await world.close()
  assert.equal(sums.triples, (verbs.length * (verbs.length + 1) * (verbs.length + 2)) / 6)
  context.diagnostic(
    `${sums.triples} triples, ${sums.orders} orders, ${sums.crashes} of them with a crash, 0 violations`,
  )
})
