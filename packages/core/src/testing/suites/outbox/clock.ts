import type { Driver } from '../../../port/driver.ts'
import { sql, statement } from '../../../port/sql.ts'
import { equal, ok } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { copies, given, keysOf, leased, leaseOne, message, outboxOn, rowOf } from './given.ts'

const HOUR_MS = 3_600_000

/** The database's clock. */
async function clock({ dialect, execute }: Driver): Promise<number> {
  const [row] = await execute(statement(dialect, sql`select ${dialect.clock} as now`, { name: 'clock' }))
  return Number(row!.now)
}

/** Runs `work`, and checks that what it gives is an instant of the database's clock meanwhile. */
async function meanwhile(driver: Driver, what: string, work: () => Promise<number | null>): Promise<void> {
  const before = await clock(driver)
  const instant = await work()
  const after = await clock(driver)
  ok(
    instant !== null && instant >= before && instant <= after,
    `${what}: ${instant} is not from ${before} to ${after}`,
  )
}

export const clockCases: readonly Case[] = [
  {
    name: 'without now, every instant is the database’s own',
    async run({ driver }) {
      const outbox = outboxOn(driver, { firstDelay: HOUR_MS, maxAge: HOUR_MS })
      const rows = ['sent', 'retry', 'dead', 'cancelled'].map((key) => message(key))
      for (const column of ['createdAt', 'notBefore'] as const) {
        await meanwhile(driver, `enqueued ${column}`, async () => {
          await given(outbox.enqueue(message(column)))
          return (await rowOf(outbox, column))[column]
        })
      }
      await meanwhile(driver, 'derived createdAt', async () => {
        await given(outbox.enqueueFrom(copies))
        const { createdAt, notBefore, giveUpAt } = await rowOf(outbox, 'copy of createdAt')
        ok(notBefore >= createdAt && giveUpAt === notBefore + HOUR_MS, 'due at once, for an hour')
        return notBefore
      })
      await given(
        outbox.cancel({ dedupKeys: ['createdAt', 'notBefore', 'copy of createdAt', 'copy of notBefore'] }),
      )

      await given(outbox.enqueue(rows))
      await meanwhile(driver, 'cancelled', async () => {
        await given(outbox.cancel({ dedupKeys: ['cancelled'] }))
        return (await rowOf(outbox, 'cancelled')).finishedAt
      })
      await given(outbox.enqueue(message('ordered', { orderingKey: 'k', destination: 'k' })))
      await meanwhile(driver, 'cancelled by its ordering key', async () => {
        await given(outbox.cancel({ orderingKey: 'k', destination: 'k' }))
        return (await rowOf(outbox, 'ordered')).finishedAt
      })
      for (const verb of ['sent', 'retry', 'dead'] as const) {
        await meanwhile(driver, verb, async () => {
          const lease = await leaseOne(outbox, { ttl: HOUR_MS })
          await given(outbox[verb](lease, { error: 'no' }))
          const { finishedAt, notBefore } = await rowOf(outbox, verb)
          return verb === 'retry' ? notBefore - HOUR_MS / 2 : finishedAt
        })
      }
      for (const chosen of [{ destination: 'a' }, { dedupKeys: ['dead'] }]) {
        await meanwhile(driver, 'redriven', async () => {
          await given(outbox.redrive(chosen))
          const { notBefore, giveUpAt } = await rowOf(outbox, 'dead')
          ok(giveUpAt >= notBefore + HOUR_MS && giveUpAt <= notBefore + HOUR_MS + 10_000, 'for another hour')
          return notBefore
        })
        const again = await leased(outbox, { limit: 10, ttl: HOUR_MS })
        await given(outbox.dead(again.find(({ dedupKey }) => dedupKey === 'dead')!, { error: 'no' }))
      }
      await meanwhile(driver, 'disabled', async () => {
        await given(outbox.disable('x'))
        return (await outbox.disabled())[0]!.disabledAt
      })
    },
  },
  {
    name: 'without now, the database’s clock decides what is due, held, over and old',
    async run({ driver }) {
      const outbox = outboxOn(driver, { attempts: 2 })
      const now = await clock(driver)
      const near = HOUR_MS / 2
      await outbox.enqueue([
        message('due', { notBefore: now - near }),
        message('early', { notBefore: now + near }),
      ])
      await meanwhile(
        driver,
        'leased',
        async () => (await leaseOne(outbox, { ttl: near })).leaseUntil! - near,
      )
      equal(await keysOf(outbox, { limit: 10, ttl: near }), [], 'held, or early')
      const held = await rowOf(outbox, 'due')
      equal(held.state, 'leased')

      await outbox.enqueue(message('over', { destination: 'b' }), { now: now - 2 * near })
      await leased(outbox, { limit: 1, ttl: near / 2, now: now - near })
      const again = await given(outbox.lease({ limit: 10, ttl: near, perDestination: 1 }))
      equal(
        again.messages.map(({ dedupKey, token }) => [dedupKey, token]),
        [['over', 2]],
      )
      equal((await given(outbox.retry(again.messages[0]!, { error: 'no' }))).state, 'dead')

      await outbox.enqueue(message('aged', { destination: 'c' }), { now: now - 4 * 86_400_000 })
      const aged = await leaseOne(outbox, { ttl: near })
      equal((await given(outbox.retry(aged, { error: 'no' }))).state, 'dead', 'older than three days')
      equal(await outbox.sweep({ retention: near }), { ok: true, removed: 0, more: false })
      await outbox.enqueue([message('old'), message('young')])
      await outbox.cancel({ dedupKeys: ['old'] }, { now: now - 2 * near })
      await outbox.cancel({ dedupKeys: ['young'] }, { now: now - near / 2 })
      equal(await outbox.sweep({ retention: near }), { ok: true, removed: 1, more: false })
      equal((await rowOf(outbox, 'young')).state, 'cancelled')
    },
  },
]
