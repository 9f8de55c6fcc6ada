import { sql } from '../../../port/sql.ts'
import { equal } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { claimsOn, query, won } from './given.ts'

export const pageCases: readonly Case[] = [
  {
    name: 'rows are listed page by page, by prefix and by state',
    async run({ driver }) {
      const claims = claimsOn(driver)
      for (const key of ['ä', 'a:3', 'a:1', 'a:2', 'B']) await claims.acquire(key, { now: 1000 })
      await claims.complete(won(await claims.acquire('a:4', { now: 1000 })), 'x', { now: 1000 })
      await claims.acquire('a:5', { ttl: 1, now: 900 })
      const keys = async (options: object) => {
        const page = await claims.list({ now: 1000, ...options })
        return [...page.claims.map(({ key }) => key), page.next]
      }
      equal(await keys({}), ['B', 'a:1', 'a:2', 'a:3', 'a:4', 'a:5', 'ä', null])
      equal(await keys({ limit: 3 }), ['B', 'a:1', 'a:2', 'a:2'])
      equal(await keys({ limit: 3, after: 'a:2' }), ['a:3', 'a:4', 'a:5', 'a:5'])
      equal(await keys({ limit: 7 }), ['B', 'a:1', 'a:2', 'a:3', 'a:4', 'a:5', 'ä', null])
      equal(await keys({ prefix: 'a:', state: 'held' }), ['a:1', 'a:2', 'a:3', null])
      equal(await keys({ state: 'done' }), ['a:4', null])
      equal(await keys({ state: 'free' }), ['a:5', null])
      equal(await keys({ prefix: 'a:', after: 'a:4' }), ['a:5', null])
      equal(await keys({ state: 'held', now: 1100, limit: 1 }), ['B', 'B'], 'the exact end is still held')
      equal(await keys({ state: 'held', now: 1101 }), [null])
      await claims.acquireMany(['c', 'c:', 'c:1', 'c;'], { now: 1000 })
      equal(await keys({ prefix: 'c:' }), ['c:', 'c:1', null])
      await claims.release(won(await claims.acquire('c:', { ttl: 900, now: 2000 })), { now: 2000 })
      await query(driver, sql`insert into rowlock_claims (key, claimed_at) values ('d', 2000)`)
      equal(await keys({ prefix: 'c', state: 'free', now: 1000 }), ['c:', null])
      equal(await keys({ prefix: 'd', state: 'free', now: 2000 }), ['d', null])
    },
  },
  {
    name: 'sweeping removes what has long been free, and nothing else',
    async run({ driver }) {
      const claims = claimsOn(driver)
      await query(
        driver,
        sql`insert into rowlock_claims (key, claimed_at, expires_at, token, state) values
('held', 1000, 2000, 1000, 'held'), ('done', 1000, 2000, 1000, 'done'), ('over', 1000, 1099, 1000, 'held'), ('barely', 1000, 1100, 1000, 'held'),
('endless', 1000, null, 1000, 'held'), ('freed', null, 2000, 1000, 'held'), ('empty', null, null, null, null),
('freed, token ahead', null, 2000, 1100, 'held'), ('over, token ahead', 900, 1000, 1200, 'held')`,
      )
      const left = async () =>
        (await query(driver, sql`select key from rowlock_claims order by key`)).map(({ key }) => key)
      equal(await claims.sweep({ olderThan: 50, now: 1000 }), { removed: 1, more: false })
      equal((await left()).includes('empty'), false)
      equal(await claims.sweep({ olderThan: 50, limit: 2, now: 1150 }), { removed: 2, more: true })
      equal(await claims.sweep({ olderThan: 50, limit: 2, now: 1150 }), { removed: 1, more: false })
      equal(await left(), ['barely', 'done', 'freed, token ahead', 'held', 'over, token ahead'])
      equal(await claims.sweep({ olderThan: 50, now: 1151 }), { removed: 2, more: false })
      equal(await left(), ['done', 'held', 'over, token ahead'])
    },
  },
]
