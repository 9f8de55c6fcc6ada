import { equal, ok } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { given, keysOf, leaseOne, message, messages, outboxOn, rowOf } from './given.ts'

const keys = (rows: readonly { dedupKey: string }[]) => rows.map(({ dedupKey }) => dedupKey)

export const keepingCases: readonly Case[] = [
  {
    name: 'only what was never leased is cancelled',
    async run({ driver }) {
      const outbox = outboxOn(driver, { firstDelay: 1 })
      await outbox.enqueue(
        ['back', 'out', 'new'].map((key) => message(key)),
        { now: 1000 },
      )
      const back = await leaseOne(outbox, { ttl: 9000, now: 1000 })
      await leaseOne(outbox, { ttl: 9000, now: 1000 })
      await given(outbox.retry(back, { error: 'no', now: 1000 }))
      const cancelled = await given(
        outbox.cancel({ dedupKeys: ['back', 'out', 'new', 'none'] }, { now: 1001 }),
      )
      equal(keys(cancelled.changed), ['new'])
      const { state, finishedAt } = await rowOf(outbox, 'new')
      equal([state, finishedAt], ['cancelled', 1001])
      equal(await outbox.cancel({ dedupKeys: ['new'] }, { now: 1002 }), { ok: true, changed: [] })
    },
  },
  {
    name: 'an ordering key is cancelled as a whole, in its destination',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      const fields = [
        { orderingKey: 'k' },
        { orderingKey: 'k' },
        { orderingKey: 'o' },
        { orderingKey: 'k', destination: 'b' },
      ]
      await outbox.enqueue(
        fields.map((each, index) => message(`x${index}`, each)),
        { now: 1000 },
      )
      const chosen = { orderingKey: 'k', destination: 'a' }
      equal(keys((await given(outbox.cancel(chosen, { now: 1000 }))).changed), ['x0', 'x1'])
      equal((await keysOf(outbox, { limit: 10, ttl: 10, now: 1000 })).sort(), ['x2', 'x3'])
    },
  },
  {
    name: 'only dead messages are redriven, and they start anew',
    async run({ driver }) {
      const outbox = outboxOn(driver, { attempts: 1, maxAge: 1000 })
      await outbox.enqueue(
        ['x', 'sent', 'new'].map((key) => message(key)),
        { now: 1000 },
      )
      await given(outbox.retry(await leaseOne(outbox, { ttl: 10, now: 1000 }), { error: 'no', now: 1000 }))
      await given(outbox.sent(await leaseOne(outbox, { ttl: 10, now: 1000 }), { now: 1000 }))
      const redriven = await given(outbox.redrive({ dedupKeys: ['x', 'sent', 'new'] }, { now: 5000 }))
      equal(keys(redriven.changed), ['x'])
      const { state, attempts, notBefore, giveUpAt, finishedAt, token } = await rowOf(outbox, 'x')
      equal([state, attempts, notBefore, giveUpAt, finishedAt, token], ['pending', 0, 5000, 6000, null, 1])
      equal((await leaseOne(outbox, { ttl: 10, now: 4999 })).dedupKey, 'new')
      equal((await leaseOne(outbox, { ttl: 10, now: 5000 })).token, 2)
    },
  },
  {
    name: 'the oldest dead messages of a destination are redriven first',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      await outbox.enqueue([...messages(3, 'a'), message('b', { destination: 'b' })], { now: 1000 })
      for (let index = 0; index < 4; index += 1) {
        const lease = await leaseOne(outbox, { ttl: 10_000, now: 1000 })
        await given(outbox.dead(lease, { error: 'no', now: 1000 }))
      }
      const some = await given(outbox.redrive({ destination: 'a', limit: 2 }, { now: 2000 }))
      equal(keys(some.changed), ['a0000', 'a0001'])
      equal(keys((await given(outbox.redrive({ destination: 'a' }, { now: 2000 }))).changed), ['a0002'])
    },
  },
  {
    name: 'sweep removes what was finished longer ago than the retention, step by step, and nothing else',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      await outbox.enqueue([message('open'), ...messages(7, 'x')], { now: 1000 })
      await leaseOne(outbox, { ttl: 10, now: 1000 })
      const some = messages(7, 'x').map(({ dedupKey }) => dedupKey)
      await given(outbox.cancel({ dedupKeys: some.slice(0, 6) }, { now: 1000 }))
      await given(outbox.cancel({ dedupKeys: some.slice(6) }, { now: 1500 }))
      const call = { retention: 1000, step: 2, steps: 2 }
      equal(await outbox.sweep({ ...call, now: 2000 }), { ok: true, removed: 0, more: false })
      equal(await outbox.sweep({ ...call, now: 2001 }), { ok: true, removed: 4, more: true })
      equal(await outbox.sweep({ ...call, now: 2001 }), { ok: true, removed: 2, more: false })
      equal(keys((await outbox.list()).messages), ['x0006', 'open'])
      equal(await outbox.sweep({ now: 1000 + 86_400_000 * 30 }), { ok: true, removed: 0, more: false })
      equal(await outbox.sweep({ now: 9_000_000_000_000 }), { ok: true, removed: 1, more: false })
      equal(keys((await outbox.list()).messages), ['open'])
    },
  },
  {
    name: 'list gives pages, newest first, by any filter',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      const odd = message('odd', { topic: 'other', destination: 'b', orderingKey: 'k' })
      await outbox.enqueue(messages(5, 'x'), { now: 1000 })
      await outbox.enqueue(odd, { now: 1000, run: 'r' })
      const first = await outbox.list({ limit: 4 })
      equal(keys(first.messages), ['odd', 'x0004', 'x0003', 'x0002'])
      const second = await outbox.list({ limit: 4, before: first.next! })
      equal([keys(second.messages), second.next], [['x0001', 'x0000'], null])
      equal((await outbox.list({ limit: 6 })).next, null)
      const filters = [
        { topic: 'other' },
        { destination: 'b' },
        { orderingKey: 'k' },
        { dedupKey: 'odd' },
        { run: 'r' },
      ]
      for (const filter of filters) equal(keys((await outbox.list(filter)).messages), ['odd'])
      await given(outbox.cancel({ dedupKeys: ['x0001'] }, { now: 1000 }))
      await leaseOne(outbox, { ttl: 10, now: 1000 })
      equal(keys((await outbox.list({ state: 'cancelled' })).messages), ['x0001'])
      equal((await outbox.list({ state: 'leased' })).messages.length, 1)
      equal((await outbox.list({ state: 'pending' })).messages.length, 4)
      ok((await outbox.list({ state: 'dead' })).messages.length === 0, 'nothing is dead')
    },
  },
]
