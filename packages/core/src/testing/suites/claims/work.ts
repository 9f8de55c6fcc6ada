import { sql } from '../../../port/sql.ts'
import { equal, ok, rejects } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { beforeNext, claimsOn, query, won, word } from './given.ts'

export const workCases: readonly Case[] = [
  {
    name: 'once: the work is done once, its result given to all who ask with the same payload',
    async run({ driver }) {
      const claims = claimsOn(driver)
      let times = 0
      const charge = (payload: unknown, now: number) =>
        claims.once('order-7', { payload, now }, () => ({ receipt: ++times }))
      equal(await charge({ a: 1, b: [2] }, 1000), { ran: true, result: { receipt: 1 }, recorded: 'yes' })
      const again = await charge({ b: [2], a: 1 }, 1100)
      ok(!again.ran && again.reason === 'done')
      equal(again.result, { receipt: 1 })
      const other = await charge({ a: 1, b: [3] }, 1100)
      ok(!other.ran && other.reason === 'mismatch')
      ok(!('result' in other), 'nobody is given the result of another payload')
      const without = await charge(undefined, 1100)
      ok(!without.ran && without.reason === 'mismatch')
      equal(await charge('new window', 1101), { ran: true, result: { receipt: 2 }, recorded: 'yes' })
    },
  },
  {
    name: 'once: while the work is going on, others are told so; when it fails, the next may try',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const at = { payload: 1, now: 1000 }
      const inside: unknown[] = []
      const failing = claims.once('k', at, async () => {
        const same = await claims.once('k', at, () => 'never')
        const other = await claims.once('k', { ...at, payload: 2 }, () => 'never')
        inside.push(same.ran || same.reason, other.ran || other.reason)
        throw new TypeError('no')
      })
      await rejects(failing, { message: 'no' })
      equal(inside, ['held', 'mismatch'])
      equal(await claims.once('k', { ...at, payload: 2 }, () => 'x'), {
        ran: true,
        result: 'x',
        recorded: 'yes',
      })
    },
  },
  {
    name: 'once: a short lease while working, the whole ttl for the result',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const result = await claims.once(
        'k',
        { lease: '1h', ttl: '1d', now: 1000 },
        async (claim) => claim.expiresAt,
      )
      equal(result, { ran: true, result: 3_601_000, recorded: 'yes' })
      equal((await claims.inspect('k', { now: 1000 }))?.expiresAt, 86_401_000)
    },
  },
  {
    name: 'once: a result that came too late is not recorded over the next one’s',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const late = await claims.once('k', { ttl: '1h', now: 1000 }, async () => {
        won(await claims.acquire('k', { ttl: '1h', now: 3_601_001 }))
        return 'late'
      })
      equal(late, { ran: true, result: 'late', recorded: 'lost' })
      equal((await claims.inspect('k', { now: 3_601_001 }))?.state, 'held')
    },
  },
  {
    name: 'run: the key is held during the work and free after it, also when the work fails',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const ran = await claims.run('k', { ttl: '1h', now: 1000 }, async (claim) => {
        const other = await claims.run('k', { ttl: '1h', now: 1000 }, () => 'never')
        return [claim.key, other.ran || other.reason]
      })
      equal(ran, { ran: true, value: ['k', 'held'], lost: false })
      const failing = claims.run('k', { ttl: '1h', now: 1000 }, () => Promise.reject(new Error('no')))
      await rejects(failing, { message: 'no' })
      equal((await claims.inspect('k', { now: 1000 }))?.state, 'free')

      const keeping = { ttl: '1h', now: 1000, afterSuccess: 'complete', afterFailure: 'keep' } as const
      await rejects(
        claims.run('kept', keeping, () => Promise.reject(new Error('no'))),
        { message: 'no' },
      )
      equal((await claims.inspect('kept', { now: 1000 }))?.state, 'held')
      await claims.runOrThrow('done', keeping, () => 1)
      equal((await claims.inspect('done', { now: 1000 }))?.state, 'done')
      await rejects(
        claims.runOrThrow('done', keeping, () => 1),
        { code: 'CONFLICT' },
      )
    },
  },
  {
    name: 'the OrThrow twins give the win, or an error that says why not',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const claim = await claims.acquireOrThrow('k', { now: 1000 })
      const conflict = { code: 'CONFLICT' }
      const error = (await rejects(claims.acquireOrThrow('k', { now: 1000 }), conflict)) as {
        details: object
      }
      equal(error.details, { ...error.details, key: 'k', reason: 'held', expiresAt: 1100, retryAfterMs: 101 })
      equal((await claims.renewOrThrow(claim, { now: 1001 })).expiresAt, 1101)
      await rejects(claims.renewOrThrow(claim, { now: 1102 }), conflict)
      await claims.releaseOrThrow(claim, { now: 1102 })
      await rejects(claims.completeOrThrow(claim, 1, { now: 1102 }), conflict)
      equal(await claims.onceOrThrow('o', { now: 1000 }, () => 5), 5)
      equal(await claims.onceOrThrow('o', { now: 1000 }, () => 6), 5)
    },
  },
  {
    // synthorg #1624: a row that was gone by the time of the look was handed out as won.
    name: 'a key that is gone when the loser looks is claimed again, and never taken for a win',
    async run({ driver }) {
      await claimsOn(driver).acquire('k', { ttl: 500, now: 1000 })
      const gone = beforeNext(driver, 'claims.look', () => query(driver, sql`delete from rowlock_claims`))
      const claim = won(await claimsOn(gone).acquire('k', { holder: 'anna', now: 1000 }))
      const row = await claimsOn(driver).inspect('k', { now: 1000 })
      equal([row?.holder, row?.token, row?.expiresAt], ['anna', claim.token, 1100], 'the win is a row')
      const taken = beforeNext(driver, 'claims.look', async () => {
        await query(driver, sql`delete from rowlock_claims`)
        await claimsOn(driver).acquire('k', { holder: 'ben', now: 1000 })
      })
      const lost = await claimsOn(taken).acquire('k', { now: 1000 })
      equal([word(lost), 'holder' in lost && lost.holder], ['held', 'ben'])
    },
  },
]
