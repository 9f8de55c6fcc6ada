import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { claimsVerbs } from './claims-verbs.ts'
import { outboxVerbs } from './outbox-verbs.ts'
import { together } from './together.ts'
import type { Verb } from './verbs.ts'
import { createWorld, EDGE } from './world.ts'

const SEED = Number(process.env.ROWLOCK_TEST_SEED ?? 20_261_201)
const verbs = [...claimsVerbs, ...outboxVerbs]
const world = await createWorld()
const sums = { triples: 0, orders: 0, crashes: 0 }

after(() => world.close())

for (const [index, first] of verbs.entries()) {
  const others = verbs.slice(index)
  test(`${first.name} with every two others, in every order, with one drawn crash in each`, async (context) => {
    const before = { ...sums }
    for (const [at, second] of others.entries()) {
      for (const third of others.slice(at)) await triple([first, second, third])
    }
    const [triples, orders, crashes] = (['triples', 'orders', 'crashes'] as const).map(
      (name) => sums[name] - before[name],
    )
    context.diagnostic(
      `seed ${SEED}: ${triples} triples, ${orders} orders, ${crashes} with a crash, 0 violations`,
    )
  })
}

test('those were all', (context) => {
  const { length } = verbs
  assert.equal(sums.triples, (length * (length + 1) * (length + 2)) / 6)
  context.diagnostic(
    `${sums.triples} triples, ${sums.orders} orders, ${sums.crashes} with a crash, 0 violations`,
  )
})

async function triple(three: readonly Verb[]): Promise<void> {
  // One of the three, each in turn, acts in the last millisecond of the claim and of the leases.
  const turn = sums.triples % 3
  const parts = Object.fromEntries(
    three.map((verb, index) => {
      const holder = `${index + 1}`
      return [holder, { verb, holder, now: index === turn ? EDGE : EDGE + 1 }]
    }),
  )
  const seed = SEED + sums.triples
  const report = await together(world, parts, { crash: 'drawn', seed }).catch((error) => {
    throw new Error(`${three.map(({ name }) => name).join(', ')}: ${error.message}`, { cause: error })
  })
  sums.triples += 1
  sums.orders += report.schedules
  sums.crashes += report.crashes
}
