import { sql } from '../../../port/sql.ts'
import { equal, ok, rejects } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { claimsOn, query, won, word } from './given.ts'

export const verbCases: readonly Case[] = [
  {
    name: 'completing keeps the window and gives the result to everybody within it',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const claim = won(await claims.acquire('k', { holder: 'anna', now: 1000 }))
      const result = { sent: 3, to: ['é', '日本', '"\u0000'], none: null }
      equal(await claims.complete(claim, result, { now: 1100 }), { completed: true, expiresAt: 1100 })
      const done = { won: false, reason: 'done', expiresAt: 1100, token: 1000, holder: 'anna', result }
      equal(await claims.acquire('k', { now: 1100 }), { ...done, retryAfterMs: 1 })
      equal(await claims.acquire('k', { holder: 'anna', now: 1100 }), { ...done, retryAfterMs: 1 })
      equal(word(await claims.acquire('k', { now: 1101 })), 'again')
      const row = await claims.inspect('k', { now: 1101 })
      equal([row?.state, row?.result], ['held', null], 'a takeover leaves nothing of the former one')
    },
  },
  {
    name: 'completion is final for its window: no renewing, no freeing, but once more is no harm',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const claim = won(await claims.acquire('k', { now: 1000 }))
      await claims.complete(claim, 1, { now: 1000 })
      equal(await claims.renew(claim, { now: 1001 }), { renewed: false, reason: 'done' })
      equal(await claims.release(claim, { now: 1001 }), { released: false, reason: 'done' })
      equal(await claims.complete(claim, 1, { now: 1001 }), { completed: true, expiresAt: 1100 })
      equal(word(await claims.acquire('k', { now: 1001 })), 'done')
    },
  },
  {
    name: 'a result may be kept for longer, or shorter, than the window',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const claim = won(await claims.acquire('k', { now: 1000 }))
      equal(await claims.complete(claim, undefined, { keepFor: '1s', now: 1000 }), {
        completed: true,
        expiresAt: 2000,
      })
      const outcome = await claims.acquire('k', { now: 2000 })
      equal([word(outcome), 'result' in outcome && outcome.result], ['done', null])
    },
  },
  {
    name: 'freeing makes the key free at once, and saying so twice is no harm',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const claim = won(await claims.acquire('k', { now: 1000 }))
      equal(await claims.release(claim, { now: 1001 }), { released: true })
      equal(await claims.release(claim, { now: 1001 }), { released: true })
      equal((await claims.inspect('k', { now: 1001 }))?.state, 'free')
      equal(word(await claims.acquire('k', { now: 1001 })), 'again')
      equal(await claims.release(claim, { now: 1001 }), { released: false, reason: 'lost' })
    },
  },
  {
    name: 'the same holder asking again is told of its claim, and nothing is written again',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const first = await claims.acquire('k', { holder: 'anna', ttl: 100, now: 1000 })
      equal(await claims.acquire('k', { holder: 'anna', ttl: 900, now: 1050 }), first)
      equal(word(await claims.acquire('k', { holder: 'ben', now: 1050 })), 'held')
      equal(word(await claims.acquire('k', { holder: 'anna', now: 1101 })), 'again')
    },
  },
  {
    name: 'companions are written with the win, and not for a loser',
    needs: ['atomic'],
    async run({ driver }) {
      await query(driver, sql`create table notes (body text)`)
      const { placeholder } = driver.dialect
      const note = (body: string) => ({
        name: 'test.note',
        text: `insert into notes (body) values (${placeholder(1)}) returning body`,
        values: [body],
        expect: 1,
      })
      const claims = claimsOn(driver)
      const claim = won(await claims.acquire('k', { now: 1000, also: [note('won')] }))
      equal(word(await claims.acquire('k', { now: 1000, also: [note('lost')] })), 'held')
      ok((await claims.renew(claim, { now: 1001, also: [note('renewed')] })).renewed)
      ok(!(await claims.renew({ ...claim, token: 7 }, { now: 1001, also: [note('lost')] })).renewed)
      ok(!(await claims.complete({ ...claim, token: 7 }, 1, { now: 1001, also: [note('lost')] })).completed)
      ok((await claims.complete(claim, 1, { now: 1001, also: [note('completed')] })).completed)
      ok(!(await claims.release(claim, { now: 1001, also: [note('lost')] })).released)
      const bodies = (await query(driver, sql`select body from notes order by body`)).map(({ body }) => body)
      equal(bodies, ['completed', 'renewed', 'won'])

      const failing = {
        ...note('x'),
        text: 'select body from notes where 1 = 0 for no key update',
        values: [],
      }
      if (driver.dialect.name === 'sqlite') failing.text = 'select body from notes where 1 = 0'
      await rejects(claims.acquire('other', { now: 1000, also: [note('x'), failing] }), {
        code: 'GUARD_FAILED',
        statement: 'test.note',
      })
      equal(await claims.inspect('other'), null, 'the win was undone with its companion')
    },
  },
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
