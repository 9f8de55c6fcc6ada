import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { together } from './together.ts'
import { verbs } from './verbs.ts'
import { createWorld, NOW } from './world.ts'

const SEED = Number(process.env.ROWLOCK_TEST_SEED ?? 20_261_201)
const world = await createWorld()
const sums = { triples: 0, orders: 0, crashes: 0 }

after(() => world.close())

for (const [index, first] of verbs.entries()) {
  const others = verbs.slice(index)
  test(`${first.name} with every two others, in every order, with one drawn crash in each`, async (context) => {
    const before = { ...sums }
    for (const [at, second] of others.entries()) {
      for (const third of others.slice(at)) {
        const parts = {
          1: { verb: first, now: NOW },
          2: { verb: second, now: NOW + 1 },
          3: { verb: third, now: NOW + 1 },
        }
        const seed = SEED + sums.triples
        const report = await together(world, parts, { crash: 'drawn', seed }).catch((error) => {
          throw new Error(`${first.name}, ${second.name}, ${third.name}: ${error.message}`, { cause: error })
        })
        sums.triples += 1
        sums.orders += report.schedules
        sums.crashes += report.crashes
      }
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
