import { equal, rejects } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { given, keysOf, leaseOne, message, outboxOn, rowOf } from './given.ts'

const lost = { ok: false, reason: 'lost' } as const

export const answerCases: readonly Case[] = [
  {
    name: 'an answer counts only under the token of the lease',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      await outbox.enqueue(message('x'), { now: 1000 })
      const slow = await leaseOne(outbox, { ttl: 10, now: 1000 })
      await leaseOne(outbox, { ttl: 10_000, now: 2000 })
      const before = await rowOf(outbox, 'x')
      equal(await outbox.sent(slow, { now: 2001 }), lost)
      equal(await outbox.retry(slow, { error: 'no', now: 2001 }), lost)
      equal(await outbox.dead(slow, { error: 'no', now: 2001 }), lost)
      equal(await outbox.sent({ id: slow.id, token: 3 }, { now: 2001 }), lost, 'a token nobody has')
      equal(await outbox.sent({ id: slow.id + 1, token: 2 }, { now: 2001 }), lost, 'a row nobody has')
      equal(await rowOf(outbox, 'x'), before)
    },
  },
  {
    name: 'an answer changes its own row and no other',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      await outbox.enqueue(
        ['x', 'y', 'z', 'w'].map((key) => message(key)),
        { now: 1000 },
      )
      for (const verb of ['sent', 'retry', 'dead'] as const) {
        const lease = await leaseOne(outbox, { ttl: 60_000, now: 1000 })
        await given(outbox[verb](lease, { error: 'no', now: 1000 }))
      }
      const states = (await outbox.list()).messages.map(({ dedupKey, state, token }) => [
        dedupKey,
        state,
        token,
      ])
      equal(states, [
        ['w', 'pending', 0],
        ['z', 'dead', 1],
        ['y', 'pending', 1],
        ['x', 'sent', 1],
      ])
    },
  },
  {
    name: 'a late answer counts as long as nobody else has taken the message',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      await outbox.enqueue(message('x'), { now: 1000 })
      const lease = await leaseOne(outbox, { ttl: 10, now: 1000 })
      equal(await outbox.sent(lease, { now: 9000 }), { ok: true, state: 'sent' })
      const { state, leaseUntil, finishedAt, lastError } = await rowOf(outbox, 'x')
      equal([state, leaseUntil, finishedAt, lastError], ['sent', null, 9000, null])
    },
  },
  {
    name: 'an answer given twice is the same answer; another one is lost',
    async run({ driver }) {
      const outbox = outboxOn(driver, { firstDelay: 100 })
      await outbox.enqueue(
        ['x', 'y', 'z'].map((key) => message(key)),
        { now: 1000 },
      )
      const first = await leaseOne(outbox, { ttl: 10, now: 1000 })
      const second = await leaseOne(outbox, { ttl: 10, now: 1000 })
      const third = await leaseOne(outbox, { ttl: 10, now: 1000 })
      const back = { ok: true, state: 'pending', notBefore: 1051 } as const
      for (const now of [1001, 1002]) {
        equal(await outbox.sent(first, { now }), { ok: true, state: 'sent' })
        equal(await outbox.retry(second, { error: 'no', now }), back)
        equal(await outbox.dead(third, { error: 'no', now }), { ok: true, state: 'dead' })
      }
      equal(await outbox.retry(first, { error: 'no', now: 1003 }), lost)
      equal(await outbox.dead(second, { error: 'no', now: 1003 }), lost)
      equal(await outbox.sent(third, { now: 1003 }), lost)
    },
  },
  {
    name: 'a failed attempt is repeated after a doubled delay, and not before a Retry-After',
    async run({ driver }) {
      const options = { firstDelay: 100, longestDelay: 300, longestRetryAfter: 5000 }
      const outbox = outboxOn(driver, { ...options, random: () => 0.5 })
      await outbox.enqueue(message('x'), { now: 1000 })
      const waits: number[] = []
      let now = 1000
      for (const retryAfterMs of [undefined, undefined, undefined, undefined, 1000, 10, 9_000_000]) {
        const lease = await leaseOne(outbox, { ttl: 10, now })
        const asked = retryAfterMs === undefined ? {} : { retryAfterMs }
        await given(outbox.retry(lease, { error: 'HTTP 503', now, ...asked }))
        const { notBefore, lastError, state, leaseUntil } = await rowOf(outbox, 'x')
        equal([lastError, state, leaseUntil], ['HTTP 503', 'pending', null])
        waits.push(notBefore - now)
        now = notBefore
      }
      equal(waits, [75, 150, 225, 225, 1000, 225, 5000])
    },
  },
  {
    name: 'the last attempt and the attempt after the greatest age make a message dead',
    async run({ driver }) {
      const outbox = outboxOn(driver, { attempts: 2, maxAge: 1000, firstDelay: 10 })
      await outbox.enqueue([message('often'), message('old', { notBefore: 3000 })], { now: 1000 })
      const once = await leaseOne(outbox, { ttl: 10, now: 1000 })
      equal((await given(outbox.retry(once, { error: 'first', now: 1001 }))).state, 'pending')
      const twice = await leaseOne(outbox, { ttl: 10, now: 1100 })
      equal(await outbox.retry(twice, { error: 'second', now: 1101 }), { ok: true, state: 'dead' })
      const { state, lastError, finishedAt } = await rowOf(outbox, 'often')
      equal([state, lastError, finishedAt], ['dead', 'second', 1101])

      const old = await leaseOne(outbox, { ttl: 9000, now: 3000 })
      equal(await outbox.retry(old, { error: 'late', now: 4000 }), { ok: true, state: 'dead' })
      equal(await keysOf(outbox, { limit: 10, ttl: 10, now: 9_000_000 }), [])
    },
  },
  {
    name: 'companions commit with an answer, and not with a lost one',
    needs: ['atomic'],
    async run({ driver }) {
      const outbox = outboxOn(driver)
      await outbox.enqueue(message('x'), { now: 1000 })
      const stale = await leaseOne(outbox, { ttl: 10, now: 1000 })
      const lease = await leaseOne(outbox, { ttl: 10, now: 2000 })
      const also = [outbox.statements.disable('a', { now: 2000 })]
      for (const verb of ['sent', 'retry', 'dead'] as const) {
        equal(await outbox[verb](stale, { error: 'HTTP 410', now: 2000, also }), lost)
        equal(await outbox.disabled(), [])
      }
      equal(await outbox.dead(lease, { error: 'HTTP 410', now: 2000, also }), { ok: true, state: 'dead' })
      equal((await outbox.disabled()).length, 1)

      await outbox.enqueue(message('y', { destination: 'b' }), { now: 2000 })
      const other = await leaseOne(outbox, { ttl: 10, now: 2000 })
      const failing = outbox.sent(other, { now: 2000, also: [{ ...also[0]!, expect: 1 }] })
      await rejects(failing, { code: 'GUARD_FAILED', statement: 'outbox.disable' })
      equal((await rowOf(outbox, 'y')).state, 'leased')
    },
  },
]
