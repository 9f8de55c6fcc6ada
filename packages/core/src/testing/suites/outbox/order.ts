import type { Outbox } from '../../../outbox/index.ts'
import { equal, ok } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { given, keysOf, leaseOne, message, outboxOn } from './given.ts'

/** `down` before `up` in the ordering key `device`. */
async function pair(outbox: Outbox): Promise<void> {
  const rows = [message('down', { orderingKey: 'device' }), message('up', { orderingKey: 'device' })]
  await outbox.enqueue(rows, { now: 1000 })
}

export const orderCases: readonly Case[] = [
  {
    name: 'in an ordering key a later message waits until the earlier one has been sent',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      await pair(outbox)
      const call = { limit: 10, ttl: 100 }
      const down = await leaseOne(outbox, { ttl: 100, now: 1000 })
      equal(down.dedupKey, 'down')
      equal(await keysOf(outbox, { ...call, now: 1050 }), [], 'while it is leased')
      equal(await keysOf(outbox, { ...call, now: 1101 }), ['down'], 'when its lease is over')
      await given(outbox.sent({ id: down.id, token: 2 }, { now: 1102 }))
      equal(await keysOf(outbox, { ...call, now: 1102 }), ['up'])
    },
  },
  {
    name: 'a message that was put back is still before the later ones',
    async run({ driver }) {
      const outbox = outboxOn(driver, { firstDelay: 1000 })
      await pair(outbox)
      const down = await leaseOne(outbox, { ttl: 100, now: 1000 })
      await given(outbox.retry(down, { error: 'HTTP 503', now: 1050 }))
      equal(await keysOf(outbox, { limit: 10, ttl: 100, now: 1051 }), [])
      equal(await keysOf(outbox, { limit: 10, ttl: 100, now: 9000 }), ['down'])
    },
  },
  {
    name: 'an earlier message that is not due yet holds the later ones',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      const rows = [
        message('one', { orderingKey: 'k', notBefore: 5000 }),
        message('two', { orderingKey: 'k' }),
      ]
      await outbox.enqueue(rows, { now: 1000 })
      equal(await keysOf(outbox, { limit: 10, ttl: 100, now: 4999 }), [])
      equal(await keysOf(outbox, { limit: 10, ttl: 100, now: 5000 }), ['one'])
    },
  },
  {
    name: 'a dead or cancelled message holds nobody',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      await pair(outbox)
      const down = await leaseOne(outbox, { ttl: 100, now: 1000 })
      await given(outbox.dead(down, { error: 'HTTP 400', now: 1001 }))
      equal(await keysOf(outbox, { limit: 10, ttl: 100, now: 1001 }), ['up'])

      const rows = [message('third', { orderingKey: 'o' }), message('fourth', { orderingKey: 'o' })]
      await outbox.enqueue(rows, { now: 2000 })
      await given(outbox.cancel({ dedupKeys: ['third'] }, { now: 2000 }))
      equal(await keysOf(outbox, { limit: 10, ttl: 9000, now: 2000 }), ['up', 'fourth'])
    },
  },
  {
    name: 'messages without an ordering key, of another one, or of another destination do not wait',
    async run({ driver }) {
      const outbox = outboxOn(driver)
      const fields = [
        { orderingKey: 'k' },
        { orderingKey: 'other' },
        { orderingKey: 'k', destination: 'b' },
        {},
        {},
        { orderingKey: 'k' },
      ]
      await outbox.enqueue(
        fields.map((each, index) => message(`x${index}`, each)),
        { now: 1000 },
      )
      const got = await keysOf(outbox, { limit: 10, ttl: 100, now: 1000 })
      equal([...got].sort(), ['x0', 'x1', 'x2', 'x3', 'x4'])
    },
  },
  {
    name: 'several workers keep the order of an ordering key',
    needs: ['peer'],
    async run({ driver, peer }) {
      const workers = [driver, await peer(), await peer()].map((each) => outboxOn(each, { firstDelay: 1 }))
      const keys = Array.from({ length: 12 }, (_, index) => `x${String(index).padStart(2, '0')}`)
      await workers[0]!.enqueue(
        keys.map((key) => message(key, { orderingKey: 'k' })),
        { now: 1000 },
      )
      const done: string[] = []
      let now = 1000
      let failures = 0
      const work = async (outbox: Outbox) => {
        for (let turn = 0; turn < 200 && done.length < keys.length; turn += 1) {
          now += 10
          for (const lease of (await given(outbox.lease({ limit: 5, ttl: 60_000, now }))).messages) {
            const fails = lease.attempts === 1 && lease.id % 3 === 0
            if (fails) failures += 1
            else done.push(lease.dedupKey)
            await given(fails ? outbox.retry(lease, { error: 'no', now }) : outbox.sent(lease, { now }))
          }
        }
      }
      await Promise.all(workers.map(work))
      equal(done, keys)
      ok(failures > 0, 'some attempts must have failed')
    },
  },
]
