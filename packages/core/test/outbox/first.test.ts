import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sqlite } from '../../src/drivers/sqlite.ts'
import { createOutbox } from '../../src/outbox/index.ts'

test('a message is written once, leased, sent, and not leased again', async () => {
  const outbox = createOutbox(sqlite(new DatabaseSync(':memory:')))
  await outbox.install()
  const message = { topic: 'mail', destination: 'a', dedupKey: 'x', payload: { order: 7 } }
  const first = await outbox.enqueue(message, { now: 1000 })
  assert.deepEqual(first, { ok: true, enqueued: [{ id: 1, dedupKey: 'x' }], duplicates: 0 })
  assert.deepEqual(await outbox.enqueue(message, { now: 1001 }), { ok: true, enqueued: [], duplicates: 1 })
  const leased = await outbox.lease({ limit: 10, ttl: 100, now: 2000 })
  assert.ok(leased.ok)
  assert.deepEqual(
    leased.messages.map(({ id, token, leaseUntil, payload }) => ({ id, token, leaseUntil, payload })),
    [{ id: 1, token: 1, leaseUntil: 2100, payload: '{"order":7}' }],
  )
  assert.deepEqual(await outbox.sent({ id: 1, token: 1 }, { now: 2050 }), { ok: true, state: 'sent' })
  const again = await outbox.lease({ limit: 10, ttl: 100, now: 9000 })
  assert.ok(again.ok && again.messages.length === 0)
})
