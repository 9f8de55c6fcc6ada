import { equal, ok, rejects } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { copies, given, keysOf, leased, message, messages, outboxOn, rowOf } from './given.ts'

export const enqueueCases: readonly Case[] = [
  {
    name: 'a dedup key is one row, within a call and over calls, and the row stays as it was',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      const twice = [message('x', { payload: 1 }), message('x', { payload: 2 }), message('y')]
      const first = await given(outbox.enqueue(twice, { now: 1000 }))
      equal([first.enqueued.map(({ dedupKey }) => dedupKey), first.duplicates], [['x', 'y'], 1])
      const before = await rowOf(outbox, 'x')
      equal(before.payload, '1')
      const again = await outbox.enqueue(message('x', { payload: 3, destination: 'b' }), { now: 2000 })
      equal(again, { ok: true, enqueued: [], duplicates: 1 })
      equal(await rowOf(outbox, 'x'), before)
      equal((await outbox.list()).messages.length, 2)
    },
  },
  {
    name: 'a dedup key stays taken when its message has been sent',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      await outbox.enqueue(message('x'), { now: 1000 })
      const [lease] = await leased(outbox, { limit: 1, ttl: 10, now: 1000 })
      await given(outbox.sent(lease!, { now: 1001 }))
      equal(await outbox.enqueue(message('x'), { now: 5000 }), { ok: true, enqueued: [], duplicates: 1 })
      equal(await keysOf(outbox, { limit: 10, ttl: 10, now: 5000 }), [])
    },
  },
  {
    name: 'ids follow the order of the call, whatever the dedup keys are',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      const { enqueued } = await given(
        outbox.enqueue(
          ['z', 'a', 'm'].map((key) => message(key)),
          { now: 1000 },
        ),
      )
      equal(
        enqueued.map(({ dedupKey }) => dedupKey),
        ['z', 'a', 'm'],
      )
      equal(await keysOf(outbox, { limit: 10, ttl: 10, now: 1000 }), ['z', 'a', 'm'])
    },
  },
  {
    name: 'ids are never used again',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      const { enqueued } = await given(outbox.enqueue([message('x'), message('y')], { now: 1000 }))
      await given(outbox.cancel({ dedupKeys: ['x', 'y'] }, { now: 1000 }))
      equal(await outbox.sweep({ retention: 1, now: 2000 }), { ok: true, removed: 2, more: false })
      const later = await given(outbox.enqueue(message('x'), { now: 2000 }))
      ok(later.enqueued[0]!.id > enqueued[1]!.id, 'the new id must be greater than those removed')
    },
  },
  {
    name: 'texts arrive as they were given',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      const payload = {
        quote: `'"\\`,
        nul: 'a\0b',
        text: '日本 🚣',
        number: 5,
        deep: [null, true, { '5': 5 }],
      }
      const odd = { topic: '5', destination: `d'"`, orderingKey: '1e3', payload }
      await given(outbox.enqueue(message('007', odd), { now: 1000, run: '5' }))
      const { topic, destination, dedupKey, orderingKey, payload: text, run } = await rowOf(outbox, '007')
      equal([topic, destination, dedupKey, orderingKey, run], ['5', `d'"`, '007', '1e3', '5'])
      equal(text, JSON.stringify(payload))
    },
  },
  {
    name: 'a message is due at once, at an instant, or after a delay',
    async run({ driver }) {
      const outbox = outboxOn(driver, { maxAge: 500 })
      await outbox.enqueue(
        [message('now'), message('later', { notBefore: 1300 }), message('delayed', { delay: 200 })],
        { now: 1000 },
      )
      const times = async (key: string) => {
        const { notBefore, giveUpAt, createdAt, state, token, attempts } = await rowOf(outbox, key)
        return [notBefore, giveUpAt, createdAt, state, token, attempts]
      }
      equal(await times('now'), [1000, 1500, 1000, 'pending', 0, 0])
      equal(await times('later'), [1300, 1800, 1000, 'pending', 0, 0])
      equal(await times('delayed'), [1200, 1700, 1000, 'pending', 0, 0])
    },
  },
  {
    name: 'a message stands or falls with its companions',
    needs: ['atomic'],
    async run({ driver }) {
      const outbox = outboxOn(driver)
      const off = outbox.statements.disable('b', { now: 1000 })
      await given(outbox.enqueue(message('x'), { now: 1000, also: [{ ...off, expect: 1 }] }))
      const failing = outbox.enqueue(message('y'), { now: 1000, also: [{ ...off, expect: 1 }] })
      await rejects(failing, { code: 'GUARD_FAILED', statement: 'outbox.disable', actual: 0 })
      equal(
        (await outbox.list()).messages.map(({ dedupKey }) => dedupKey),
        ['x'],
      )
    },
  },
  {
    name: 'messages are derived from the rows that lack them, each once',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      await outbox.enqueue([message('two', { destination: 'b' }), message('one')], { now: 1000 })
      const first = await given(outbox.enqueueFrom(copies, { now: 2000, run: 'r1' }))
      const derived = first.changed.map(({ dedupKey }) => dedupKey)
      equal(derived, ['copy of one', 'copy of two'], 'in the order of their dedup keys')
      equal(await outbox.enqueueFrom(copies, { now: 3000, run: 'r2' }), { ok: true, changed: [] })
      const { destination, notBefore, run } = await rowOf(outbox, 'copy of two')
      equal([destination, notBefore, run], ['b', 2000, 'r1'])
    },
  },
  {
    name: 'the same keys enqueued by several at once, in opposite orders, are one row each',
    needs: ['peer'],
    async run({ driver, peer }) {
      const one = outboxOn(driver)
      const other = outboxOn(await peer())
      const forth = messages(40, 'k')
      for (let round = 0; round < 3; round += 1) {
        await Promise.all([
          given(one.enqueue(forth, { now: 1000 })),
          given(other.enqueue([...forth].reverse(), { now: 1000 })),
        ])
      }
      const { messages: rows } = await one.list({ limit: 1000 })
      equal([...new Set(rows.map(({ dedupKey }) => dedupKey))].length, 40)
      equal(rows.length, 40)
    },
  },
]
