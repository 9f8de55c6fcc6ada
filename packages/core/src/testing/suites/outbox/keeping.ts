import { equal, ok } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { given, keysOf, leased, leaseOne, message, messages, outboxOn, rowOf } from './given.ts'

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
      await given(
        outbox.enqueue([message('y', { orderingKey: 'k' }), message('z', { orderingKey: 'k' })], {
          now: 1000,
        }),
      )
      const once = await leaseOne(outbox, { ttl: 10, now: 1000 })
      await given(outbox.retry(once, { error: 'no', now: 1000 }))
      equal(keys((await given(outbox.cancel(chosen, { now: 1000 }))).changed), ['z'])
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
      const odd = { topic: 'other', destination: 'b', orderingKey: 'k' }
      await outbox.enqueue(messages(5, 'x'), { now: 1000 })
      await outbox.enqueue(message('odd', odd), { now: 1000, run: 'r' })
      const first = await outbox.list({ limit: 4 })
      equal(keys(first.messages), ['odd', 'x0004', 'x0003', 'x0002'])
      const second = await outbox.list({ limit: 4, before: first.next! })
      equal([keys(second.messages), second.next], [['x0001', 'x0000'], null])
      equal((await outbox.list({ limit: 6 })).next, null)
      await outbox.enqueue(message('two', odd), { now: 1000, run: 'r' })
      const filters = [{ topic: 'other' }, { destination: 'b' }, { orderingKey: 'k' }, { run: 'r' }]
      for (const filter of filters) equal(keys((await outbox.list(filter)).messages), ['two', 'odd'])
      equal(keys((await outbox.list({ dedupKey: 'odd' })).messages), ['odd'])
    },
  },
  {
    name: 'list gives the messages of a state',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      for (const state of ['pending', 'leased', 'sent', 'cancelled', 'dead'] as const) {
        await outbox.enqueue([message(`${state}1`), message(`${state}2`)], { now: 1000 })
        if (state === 'cancelled')
          await outbox.cancel({ dedupKeys: ['cancelled1', 'cancelled2'] }, { now: 1000 })
        if (state === 'leased') await leased(outbox, { limit: 2, ttl: 10, now: 1000 })
        if (state === 'sent' || state === 'dead') {
          for (const lease of await leased(outbox, { limit: 2, ttl: 10, now: 1000 })) {
            await given(outbox[state](lease, { error: 'no', now: 1000 }))
          }
        }
      }
      for (const state of ['pending', 'leased', 'sent', 'cancelled', 'dead'] as const) {
        const found = (await outbox.list({ state })).messages
        equal(found.length, 2)
        ok(
          found.every((row) => row.state === state),
          `only ${state}`,
        )
        ok(found[0]!.id > found[1]!.id, 'newest first')
      }
    },
  },
]
