import { sql } from '../../../port/sql.ts'
import { equal, ok, rejects } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { claimsOn, query, word } from './given.ts'

const HOUR = 3_600_000

/** Every other statement, too, reads the database's clock: rows that end half an hour from it, and that did before it. */
export const clockCases: readonly Case[] = [
  {
    name: 'renewing, completing, looking, listing and sweeping go by the database’s clock',
    async run({ driver }) {
      const at = Number((await query(driver, sql`select ${driver.dialect.clock} as at`))[0]!.at)
      const close = (instant: number, to: number, what: string) =>
        ok(Math.abs(instant - to) < HOUR / 4, `${what}: ${instant - to} ms off`)
      for (const key of ['renewed', 'completed', 'held']) {
        await query(
          driver,
          sql`insert into rowlock_claims (key, claimed_at, expires_at, token) values (${key}, ${at}, ${at + HOUR / 2}, 5)`,
        )
      }
      await query(
        driver,
        sql`insert into rowlock_claims (key, claimed_at, expires_at, token) values ('over', ${at - HOUR}, ${at - HOUR / 2}, 5)`,
      )
      const claims = claimsOn(driver, { ttl: '2h' })
      const of = (key: string) => ({ key, token: 5 })
      const renewed = await claims.renewOrThrow(of('renewed'))
      close(renewed.expiresAt, at + 2 * HOUR, 'renewed')
      const completed = await claims.completeOrThrow(of('completed'), 1, { keepFor: '3h' })
      close(completed.expiresAt, at + 3 * HOUR, 'completed')
      equal((await claims.renew(of('over'))).renewed, false)
      equal((await claims.complete(of('over'))).completed, false)
      equal(
        (await claims.list({ state: 'free' })).claims.map(({ key }) => key),
        ['over'],
      )
      equal(
        (await claims.list({ state: 'held' })).claims.map(({ key }) => key),
        ['held', 'renewed'],
      )
      const states = (await claims.list()).claims.map(({ state }) => state)
      equal(states, ['done', 'held', 'free', 'held'])
      equal(await claims.sweep({ olderThan: '1h' }), { removed: 0, more: false })
      equal(await claims.sweep({ olderThan: '15m' }), { removed: 1, more: false })
      equal(await claims.inspect('over'), null)
      const outcomes = await claims.acquireMany(['held', 'completed'])
      equal(outcomes.map(word), ['held', 'done'])
      for (const outcome of outcomes) {
        const { retryAfterMs, reason } = outcome as { retryAfterMs: number; reason: string }
        close(retryAfterMs, reason === 'held' ? HOUR / 2 : 3 * HOUR, reason)
      }
    },
  },
  {
    name: 'guards and companions go by the database’s clock',
    needs: ['atomic'],
    async run({ driver }) {
      const at = Number((await query(driver, sql`select ${driver.dialect.clock} as at`))[0]!.at)
      await query(
        driver,
        sql`insert into rowlock_claims (key, claimed_at, expires_at, token) values ('held', ${at}, ${at + HOUR / 2}, 5), ('over', ${at - HOUR}, ${at - HOUR / 2}, 5)`,
      )
      const claims = claimsOn(driver)
      const [rows] = await driver.batch([claims.guard({ key: 'held', token: 5 })])
      equal(rows!.length, 1)
      await rejects(driver.batch([claims.guard({ key: 'over', token: 5 })]), { code: 'GUARD_FAILED' })
      const also = [claims.guard({ key: 'held', token: 5 })]
      ok((await claims.acquire('new', { ttl: '30m', also })).won, 'its companions go by the same clock')
    },
  },
]
