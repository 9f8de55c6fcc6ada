import { equal } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { given, keysOf, leased, leaseOne, message, messages, outboxOn, rowOf } from './given.ts'

export const leaseCases: readonly Case[] = [
  {
    name: 'an outbox that never held anything has nothing to lease',
    async run({ driver }) {
      equal(await keysOf(outboxOn(driver), { limit: 10, ttl: 5, now: 1000 }), [])
    },
  },
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
      const givenUp = async (key: string, now: number, token: number) => {
        const { messages: out, dead } = await given(outbox.lease({ limit: 10, ttl: 10, now }))
        equal([out.length, dead.map(({ dedupKey }) => dedupKey)], [0, [key]])
        const row = await rowOf(outbox, key)
        equal([row.state, row.token, row.attempts], ['dead', token + 1, token])
        equal([row.leaseUntil, row.finishedAt], [null, now])
        equal(row.lastError, 'the last attempt was never answered')
      }
      await leaseOne(outbox, { ttl: 10, now: 1000 })
      await leaseOne(outbox, { ttl: 10, now: 1100 })
      await givenUp('often', 1200, 2)

      await leaseOne(outbox, { ttl: 10, now: 3000 })
      equal((await rowOf(outbox, 'old')).giveUpAt, 3500)
      await givenUp('old', 3500, 1)

      await outbox.enqueue(message('young'), { now: 4000 })
      const young = await leaseOne(outbox, { ttl: 10, now: 4000 })
      await given(outbox.retry(young, { error: 'HTTP 503', now: 4000 }))
      const { notBefore } = await rowOf(outbox, 'young')
      await leaseOne(outbox, { ttl: 1, now: notBefore })
      await given(outbox.lease({ limit: 10, ttl: 10, now: notBefore + 2 }))
      equal((await rowOf(outbox, 'young')).lastError, 'HTTP 503', 'an error that is known stays')
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
