import { equal, ok } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { given, keysOf, leased, leaseOne, message, messages, outboxOn } from './given.ts'

export const fairnessCases: readonly Case[] = [
  {
    name: "one destination's backlog never starves another",
    async run({ driver }) {
      const outbox = outboxOn(driver)
      await outbox.enqueue(messages(200, 'many-', { destination: 'm' }), { now: 1000 })
      const others = [message('one', { destination: 'a' }), message('two', { destination: 'z' })]
      await outbox.enqueue(others, { now: 5000 })
      const got = await keysOf(outbox, { limit: 3, ttl: 60_000, now: 9000 })
      equal([...got].sort(), ['many-0000', 'one', 'two'])
    },
  },
  {
    name: 'asked for one at a time, every destination has its turn',
    async run({ driver }) {
      const draws = [0, 0.999_999_999, 0.000_000_001, 0.5, 0.25, 0.75, 0.1, 0.9]
      let drawn = 0
      const outbox = outboxOn(driver, { random: () => draws[drawn++ % draws.length]! })
      await outbox.enqueue(messages(40, 'many-', { destination: 'm' }), { now: 1000 })
      await outbox.enqueue(message('one', { destination: 'z' }), { now: 5000 })
      const got: string[] = []
      for (let now = 9000; now < 9000 + draws.length; now += 1) {
        const lease = await leaseOne(outbox, { ttl: 60_000, now })
        got.push(lease.dedupKey)
        await given(outbox.sent(lease, { now }))
      }
      ok(got.includes('one'), `the single row was never leased: ${got.join()}`)
    },
  },
  {
    name: 'no more than perDestination of a destination are out at once',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      const rows = [...messages(5, 'a', { destination: 'a' }), ...messages(1, 'b', { destination: 'b' })]
      await outbox.enqueue(rows, { now: 1000 })
      const call = { limit: 10, ttl: 100, perDestination: 2 }
      const first = await leased(outbox, { ...call, now: 1000 })
      equal(first.map(({ dedupKey }) => dedupKey).sort(), ['a0000', 'a0001', 'b0000'])
      equal(await keysOf(outbox, { ...call, now: 1100 }), [])
      await given(outbox.sent(first.find(({ destination }) => destination === 'a')!, { now: 1100 }))
      equal(await keysOf(outbox, { ...call, now: 1100 }), ['a0002'])
    },
  },
  {
    name: 'a destination that is switched off is left out, and goes on when it is switched on',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      await outbox.enqueue([message('x'), message('y', { destination: 'b' })], { now: 1000 })
      equal(await outbox.disable('a', { reason: 'HTTP 410', now: 1000 }), { ok: true, changed: true })
      equal(await outbox.disable('a', { reason: 'again', now: 1001 }), { ok: true, changed: false })
      await given(outbox.disable('Z', { now: 1002 }))
      const off = [
        { destination: 'Z', disabledAt: 1002, reason: null },
        { destination: 'a', disabledAt: 1000, reason: 'HTTP 410' },
      ]
      equal(await outbox.disabled(), off)
      equal(await keysOf(outbox, { limit: 10, ttl: 100, now: 1001 }), ['y'])
      equal(await outbox.enable('a'), { ok: true, changed: true })
      equal(await outbox.enable('a'), { ok: true, changed: false })
      equal(await outbox.disabled(), off.slice(0, 1))
      equal(await keysOf(outbox, { limit: 10, ttl: 100, now: 1001 }), ['x'])
    },
  },
  {
    name: 'of one destination the oldest are taken, whatever else is leased with them',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      const rows = [
        message('young', { notBefore: 1200 }),
        message('old', { notBefore: 1100 }),
        message('other', { destination: 'b' }),
      ]
      await outbox.enqueue(rows, { now: 1000 })
      equal((await keysOf(outbox, { limit: 2, ttl: 100, now: 2000 })).sort(), ['old', 'other'])
    },
  },
  {
    name: 'the draw turns the ring of the destinations that have something to send',
    async run({ driver }) {
      for (const [draw, order] of [
        [0, ['b', 'd', 'f']],
        [1, ['f', 'b', 'd']],
        [2, ['d', 'f', 'b']],
        [4, ['f', 'b', 'd']],
      ] as const) {
        const outbox = outboxOn(driver, { random: () => draw / 2 ** 31 })
        const now = 1000 + draw
        const finished = ['a', 'c', 'e'].map((destination) =>
          message(`${destination}${draw}`, { destination }),
        )
        await outbox.enqueue(finished, { now })
        await given(outbox.cancel({ dedupKeys: finished.map(({ dedupKey }) => dedupKey) }, { now }))
        const waiting = ['f', 'b', 'd'].map((destination) =>
          message(`${destination}${draw}`, { destination }),
        )
        await outbox.enqueue(waiting, { now })
        const got: string[] = []
        for (let index = 0; index < 3; index += 1) {
          const lease = await leaseOne(outbox, { ttl: 100, now })
          got.push(lease.destination)
        }
        equal(got, order, `draw ${draw}`)
        await outbox.sweep({ retention: 1, now: 1_000_000 })
        for (const { id, token } of (await outbox.list({ state: 'leased' })).messages) {
          await given(outbox.sent({ id, token }, { now }))
        }
      }
    },
  },
]
