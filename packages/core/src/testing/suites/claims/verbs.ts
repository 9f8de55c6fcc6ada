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
]
