import { sql } from '../../../port/sql.ts'
import { equal, ok, rejects } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { claimsOn, query, won, word } from './given.ts'

export const tokenCases: readonly Case[] = [
  {
    name: 'the token rises with every win, and does not fall with the clock',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const tokens: number[] = []
      for (const now of [5000, 5101, 5000, 4000, 3000]) {
        const claim = won(await claims.acquire('k', { ttl: 1, now }))
        tokens.push(claim.token!)
        await claims.release(claim, { now })
      }
      equal(tokens, [5000, 5102, 5103, 5104, 5105])
    },
  },
  {
    name: 'a row with an old claim but no token starts above the clock',
    async run({ driver }) {
      await query(
        driver,
        sql`insert into rowlock_claims (key, claimed_at, expires_at) values ('k', 900, 950)`,
      )
      const { token, from } = won(await claimsOn(driver).acquire('k', { now: 1000 }))
      equal([token, from], [1001, 'again'])
    },
  },
  {
    name: 'no token is given twice, not even when the row was swept in between',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const tokens: number[] = []
      for (let now = 1000; now < 1010; now++) {
        for (let times = 0; times < 3; times++) {
          const claim = won(await claims.acquire('k', { now }))
          tokens.push(claim.token!)
          await claims.release(claim, { now })
          await claims.sweep({ olderThan: 1, now })
        }
      }
      const rising = tokens.every((token, index) => index === 0 || token > tokens[index - 1]!)
      ok(rising, `not rising: ${tokens}`)
    },
  },
  {
    // river #197 and its like: whoever was overtaken must not touch the row of who came after.
    name: 'whoever was overtaken cannot renew, complete or free the next one’s claim',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const first = won(await claims.acquire('k', { now: 1000 }))
      const second = won(await claims.acquire('k', { now: 1101 }))
      const lost = { reason: 'lost' }
      equal(await claims.renew(first, { now: 1102 }), { renewed: false, ...lost })
      equal(await claims.complete(first, 'mine', { now: 1102 }), { completed: false, ...lost })
      // laravel #26213
      equal(await claims.release(first, { now: 1102 }), { released: false, ...lost })
      const row = await claims.inspect('k', { now: 1102 })
      equal([row?.state, row?.token, row?.expiresAt], ['held', second.token, second.expiresAt])
      equal(word(await claims.acquire('k', { now: 1102 })), 'held')
    },
  },
  {
    name: 'a claim that has run out cannot be renewed or completed, even if nobody has taken it',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const claim = won(await claims.acquire('k', { now: 1000 }))
      equal(await claims.renew(claim, { now: 1100 }), { renewed: true, expiresAt: 1200 })
      equal(await claims.renew(claim, { now: 1201 }), { renewed: false, reason: 'lost' })
      equal(await claims.complete(claim, 1, { now: 1201 }), { completed: false, reason: 'lost' })
      equal(await claims.release(claim, { now: 1201 }), { released: true })
    },
  },
  {
    name: 'a token counts for its own key only, and for nothing once the key is freed',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const [a, b] = [
        won(await claims.acquire('a', { now: 1000 })),
        won(await claims.acquire('b', { now: 1000 })),
      ]
      equal(a.token, b.token)
      await claims.renew(a, { ttl: 900, now: 1000 })
      await claims.complete(a, 1, { now: 1000 })
      const row = await claims.inspect('b', { now: 1000 })
      equal([row?.state, row?.expiresAt], ['held', 1100])
      await claims.acquire('c', { now: 1000 })
      await claims.release(b, { now: 1000 })
      equal(await claims.renew(b, { now: 1000 }), { renewed: false, reason: 'lost' })
      equal(await claims.complete(b, 1, { now: 1000 }), { completed: false, reason: 'lost' })
      equal((await claims.inspect('b', { now: 1000 }))?.state, 'free')
      equal((await claims.inspect('c', { now: 1000 }))?.state, 'held', 'freeing b has not touched c')
    },
  },
  {
    name: 'a batch under a guard is written while the claim is held',
    needs: ['atomic'],
    async run({ driver }) {
      await query(driver, sql`create table reports (body text)`)
      const claims = claimsOn(driver)
      const claim = won(await claims.acquire('k', { now: 1000 }))
      const write = writing(driver)
      for (const now of [1000, 1100]) await driver.batch([claims.guard(claim, { now }), write])
      equal((await query(driver, sql`select body from reports`)).length, 2)
    },
  },
  {
    name: 'a batch under a guard writes nothing once the claim has run out, was taken over, freed or completed',
    needs: ['atomic'],
    async run({ driver }) {
      await query(driver, sql`create table reports (body text)`)
      const claims = claimsOn(driver)
      const refused = async (claim: { key: string; token: number | null }, now: number, why: string) => {
        const failed = { code: 'GUARD_FAILED', statement: 'claims.guard', expected: 1, actual: 0 }
        const batch = () => driver.batch([writing(driver), claims.guard(claim, { now }), writing(driver)])
        await rejects(batch, failed)
        equal((await query(driver, sql`select body from reports`)).length, 0, why)
      }
      const first = won(await claims.acquire('k', { now: 1000 }))
      await refused({ ...first, key: 'other' }, 1000, 'of another key')
      await refused(first, 1101, 'run out')
      const second = won(await claims.acquire('k', { now: 1101 }))
      await refused(first, 1101, 'taken over')
      await claims.release(second, { now: 1101 })
      await refused(second, 1101, 'freed')
      const third = won(await claims.acquire('k', { now: 1102 }))
      await claims.complete(third, null, { now: 1102 })
      await refused(third, 1102, 'completed')
      await refused({ key: 'nobody’s', token: 1 }, 1102, 'never claimed')
    },
  },
]

function writing(driver: Parameters<typeof query>[0]) {
  const { placeholder } = driver.dialect
  return { name: 'test.write', text: `insert into reports (body) values (${placeholder(1)})`, values: ['x'] }
}
