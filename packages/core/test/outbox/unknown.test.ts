import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnavailableError } from '../../src/errors.ts'
import { createOutbox, type Outbox } from '../../src/outbox/index.ts'
import { sqlite } from '../../src/port/dialect.ts'
import type { Driver } from '../../src/port/driver.ts'
import { sql } from '../../src/port/sql.ts'
import { memory } from '../../src/testing/index.ts'

const lease = { id: 1, token: 1, attempts: 1 }
const also = [{ name: 'companion', text: 'select 1', values: [] }]

/** Every verb that writes. */
const verbs: Record<string, (outbox: Outbox) => Promise<unknown>> = {
  enqueue: (outbox) => outbox.enqueue({ topic: 't', destination: 'a', dedupKey: 'x', payload: 1 }),
  enqueueFrom: (outbox) => outbox.enqueueFrom(sql`select 1`),
  lease: (outbox) => outbox.lease({ limit: 1, ttl: 10 }),
  sent: (outbox) => outbox.sent(lease),
  'sent with companions': (outbox) => outbox.sent(lease, { also }),
  retry: (outbox) => outbox.retry(lease, { error: 'no' }),
  dead: (outbox) => outbox.dead(lease, { error: 'no' }),
  cancel: (outbox) => outbox.cancel({ dedupKeys: ['x'] }),
  redrive: (outbox) => outbox.redrive({ dedupKeys: ['x'] }),
  sweep: (outbox) => outbox.sweep(),
  disable: (outbox) => outbox.disable('a'),
  enable: (outbox) => outbox.enable('a'),
}

function failing(error: unknown): Driver {
  const fail = async () => {
    throw error
  }
  return { dialect: sqlite, atomicBatch: true, execute: fail, batch: fail }
}

for (const [name, call] of Object.entries(verbs)) {
  test(`${name}: what could not be asked or heard is an answer of its own`, async () => {
    for (const applied of ['no', 'unknown'] as const) {
      const cause = new UnavailableError('gone', applied)
      assert.deepEqual(await call(createOutbox(failing(cause))), { ok: false, reason: 'unknown', cause })
    }
  })

  test(`${name}: any other error is thrown on`, async () => {
    const error = new Error('a fault of ours')
    await assert.rejects(call(createOutbox(failing(error))), error)
  })
}

for (const name of ['list', 'disabled'] as const) {
  test(`${name} throws what could not be asked`, async () => {
    const cause = new UnavailableError('gone', 'no')
    await assert.rejects(createOutbox(failing(cause))[name](), cause)
  })
}

test('an answer whose acknowledgement was lost is the same answer when it is given again', async () => {
  const { driver, dispose } = await memory().open()
  let lose = false
  const lossy: Driver = {
    ...driver,
    async execute(statement) {
      const rows = await driver.execute(statement)
      if (lose) throw new UnavailableError('lost on the way back', 'unknown')
      return rows
    },
  }
  const outbox = createOutbox(lossy, { random: () => 0, firstDelay: 100 })
  await outbox.install()
  const messages = ['x', 'y', 'z'].map((dedupKey) => ({ topic: 't', destination: 'a', dedupKey, payload: 1 }))

  lose = true
  assert.equal((await outbox.enqueue(messages, { now: 1000 })).ok, false)
  lose = false
  assert.deepEqual(await outbox.enqueue(messages, { now: 1001 }), { ok: true, enqueued: [], duplicates: 3 })

  lose = true
  assert.equal((await outbox.lease({ limit: 1, ttl: 10, now: 1001 })).ok, false)
  lose = false
  const leased = await outbox.lease({ limit: 3, ttl: 10, now: 1012 })
  assert.ok(leased.ok)
  assert.deepEqual(
    leased.messages.map(({ dedupKey, token }) => [dedupKey, token]),
    [
      ['x', 2],
      ['y', 1],
      ['z', 1],
    ],
  )
  const [x, y, z] = leased.messages
  lose = true
  assert.equal((await outbox.sent(x!, { now: 1013 })).ok, false)
  assert.equal((await outbox.retry(y!, { error: 'no', now: 1013 })).ok, false)
  assert.equal((await outbox.dead(z!, { error: 'no', now: 1013 })).ok, false)
  lose = false
  assert.deepEqual(await outbox.sent(x!, { now: 1014 }), { ok: true, state: 'sent' })
  assert.deepEqual(await outbox.retry(y!, { error: 'no', now: 1014 }), {
    ok: true,
    state: 'pending',
    notBefore: 1063,
  })
  assert.deepEqual(await outbox.dead(z!, { error: 'no', now: 1014 }), { ok: true, state: 'dead' })
  await dispose()
})
