import { equal, ok } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { given, keysOf, leased, leaseOne, message, messages, outboxOn, rowOf } from './given.ts'

export const leaseCases: readonly Case[] = [
  {
    name: 'a message is leased from its instant on, in the order of instant and id',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      const times = { late: 1200, first: 1100, second: 1100 }
      await outbox.enqueue(
        Object.entries(times).map(([key, notBefore]) => message(key, { notBefore })),
        { now: 1000 },
      )
      equal(await keysOf(outbox, { limit: 10, ttl: 5, now: 1099 }), [])
      equal(await keysOf(outbox, { limit: 1, ttl: 5, now: 1200 }), ['first'])
      equal(await keysOf(outbox, { limit: 10, ttl: 5, now: 1200 }), ['second', 'late'])
    },
  },
  {
    name: 'a lease is held to its exact end, and free one millisecond later under a higher token',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      await outbox.enqueue(message('x'), { now: 1000 })
      const first = await leaseOne(outbox, { ttl: 100, now: 1000 })
      equal([first.token, first.leaseUntil, first.attempts, first.state], [1, 1100, 1, 'leased'])
      equal(await keysOf(outbox, { limit: 10, ttl: 100, now: 1100 }), [])
      const second = await leaseOne(outbox, { ttl: 100, now: 1101 })
      equal([second.id, second.token, second.leaseUntil, second.attempts], [first.id, 2, 1201, 2])
      equal(await rowOf(outbox, 'x'), second)
    },
  },
  {
    name: 'what is finished is never leased',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      await outbox.enqueue(messages(3, 'x'), { now: 1000 })
      await given(outbox.cancel({ dedupKeys: ['x0002'] }, { now: 1000 }))
      const [one, two] = await leased(outbox, { limit: 10, ttl: 10, now: 1000 })
      await given(outbox.sent(one!, { now: 1001 }))
      await given(outbox.dead(two!, { error: 'no', now: 1001 }))
      equal(await keysOf(outbox, { limit: 10, ttl: 10, now: 9_000_000 }), [])
    },
  },
  {
    name: 'a message whose last attempt is never answered is given up, and named',
    async run({ driver }) {
      const outbox = outboxOn(driver, { attempts: 2, maxAge: 1000 })
      await outbox.enqueue([message('often'), message('old', { notBefore: 2500 })], { now: 1000 })
      await leaseOne(outbox, { ttl: 10, now: 1000 })
      await leaseOne(outbox, { ttl: 10, now: 1100 })
      const often = await given(outbox.lease({ limit: 10, ttl: 10, now: 1200 }))
      equal([often.messages.length, often.dead.map(({ dedupKey }) => dedupKey)], [0, ['often']])
      const { state, token, leaseUntil, finishedAt, lastError } = await rowOf(outbox, 'often')
      equal([state, token, leaseUntil, finishedAt], ['dead', 3, null, 1200])
      equal(lastError, 'the last attempt was never answered')

      await leaseOne(outbox, { ttl: 10, now: 9000 })
      const old = await given(outbox.lease({ limit: 10, ttl: 10, now: 9100 }))
      equal([old.messages.length, old.dead.map(({ dedupKey }) => dedupKey)], [0, ['old']])
    },
  },
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
      equal(await outbox.disabled(), [{ destination: 'a', disabledAt: 1000, reason: 'HTTP 410' }])
      equal(await keysOf(outbox, { limit: 10, ttl: 100, now: 1001 }), ['y'])
      equal(await outbox.enable('a'), { ok: true, changed: true })
      equal(await outbox.enable('a'), { ok: true, changed: false })
      equal(await keysOf(outbox, { limit: 10, ttl: 100, now: 1001 }), ['x'])
    },
  },
  {
    name: 'leased by several at once, each message has one holder',
    needs: ['peer'],
    async run({ driver, peer }) {
      const outboxes = [driver, await peer(), await peer(), await peer()].map((each) => outboxOn(each))
      await outboxes[0]!.enqueue(messages(60, 'x'), { now: 1000 })
      const got: string[] = []
      for (let round = 0; round < 30 && got.length < 60; round += 1) {
        const leases = outboxes.map((each) => keysOf(each, { limit: 3, ttl: 60_000, now: 2000 }))
        got.push(...(await Promise.all(leases)).flat())
      }
      equal([got.length, new Set(got).size], [60, 60], 'messages leased, and different ones')
    },
  },
]
