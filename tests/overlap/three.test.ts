import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Driver } from '@rowlock/core'
import { createClaims } from '@rowlock/core/claims'
import { type Actor, overlap } from '@rowlock/core/testing'
import { overlapDatabase } from './connect.ts'

/** Three at once. The statement alone: a loser's second look multiplies the orders and decides nothing. */

const database = await overlapDatabase()
after(() => database.drop())

const claimsOn = (driver: Driver) => createClaims(driver, { ttl: 100, lookFirst: false })

const acquire =
  (holder: string, now: number): Actor =>
  async (driver) => {
    const rows = await driver.execute(claimsOn(driver).statements.acquire('k', { holder, now }))
    return rows.length > 0
  }

async function nothing(driver: Driver): Promise<void> {
  await claimsOn(driver).install()
  await driver.execute({ name: 'setup', text: 'delete from rowlock_claims', values: [] })
}

/** A claim that ends at 1100. */
async function claimed(driver: Driver): Promise<void> {
  await nothing(driver)
  await claimsOn(driver).acquire('k', { now: 1000 })
}

const situations = [
  { name: 'a key that nobody had', setup: nothing, at: [1000, 1000, 1000], winners: 1 },
  { name: 'a key whose window is over', setup: claimed, at: [1101, 1101, 1101], winners: 1 },
  {
    name: 'a key whose window is over by two of three clocks',
    setup: claimed,
    at: [1100, 1101, 1101],
    winners: 1,
  },
  { name: 'a key at the exact end of its window', setup: claimed, at: [1100, 1100, 1100], winners: 0 },
]

for (const { name, setup, at, winners } of situations) {
  test(`three who acquire ${name}: ${winners} of them in every order`, async () => {
    const [a, b, c] = at.map((now, index) => acquire('abc'[index]!, now))
    const report = await overlap({
      actors: { a: a!, b: b!, c: c! },
      connect: database.connect,
      setup,
      invariant({ outcomes }) {
        const won = Object.values(outcomes).filter((outcome) => outcome.state === 'returned' && outcome.value)
        assert.equal(won.length, winners)
      },
    })
    console.log(
      `# overlap, three acquire ${name}: ${report.schedules} orders, ${report.waited} with somebody waiting`,
    )
    assert.equal(report.waited > 0, winners > 0)
  })
}
