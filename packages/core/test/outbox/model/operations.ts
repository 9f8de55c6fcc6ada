import type { Message, Outbox, OutboxOptions } from '../../../src/outbox/index.ts'
import type { OutboxModel } from '../../../src/outbox/model.ts'
import { sql } from '../../../src/port/sql.ts'

/** One call, the same for the SQL and for the model. */
export interface Operation {
  readonly name: string
  run(outbox: OutboxModel): Promise<unknown>
}

/** Limits so small that a few calls reach them. */
export const options: OutboxOptions = {
  attempts: 2,
  maxAge: 45,
  firstDelay: 8,
  longestDelay: 12,
  longestRetryAfter: 25,
}

const message = (dedupKey: string, fields: Partial<Message> = {}): Message => ({
  topic: 't',
  destination: 'a',
  dedupKey,
  payload: dedupKey,
  ...fields,
})
const ordered = { orderingKey: 'k' }
const one = message('one', ordered)
const two = message('two', ordered)
const three = message('three', { destination: 'b' })
const four = message('four', { delay: 5 })
const five = message('five', { destination: 'b', orderingKey: 'k', notBefore: 103 })

/** What the model enqueues and the SQL derives by a sub-select. */
async function derive(outbox: OutboxModel | Outbox, derived: Message, now: number): Promise<unknown> {
  if (!('enqueueFrom' in outbox)) {
    const outcome = await outbox.enqueue(derived, { now })
    return outcome.ok && outcome.enqueued
  }
  const { topic, destination, dedupKey, orderingKey = null, notBefore = null } = derived
  const select = sql`select cast(${topic} as text) as topic, cast(${destination} as text) as destination,
    cast(${dedupKey} as text) as dedup_key, cast(${orderingKey} as text) as ordering_key,
    cast(${JSON.stringify(derived.payload)} as text) as payload, cast(${notBefore} as bigint) as not_before`
  const outcome = await outbox.enqueueFrom(select, { now })
  return outcome.ok && outcome.changed
}

const operation = (name: string, run: Operation['run']): Operation => ({ name, run })
const lease = (now: number, limit: number, perDestination?: number): Operation =>
  operation(`lease ${limit} at ${now}${perDestination ? `, ${perDestination} each` : ''}`, (outbox) =>
    outbox.lease({ limit, ttl: 10, now, ...(perDestination && { perDestination }) }),
  )
const error = 'no'

/** An answer to a lease of the message with this dedup key, under this token. */
const answer = (
  verb: 'sent' | 'retry' | 'dead',
  key: string,
  token: number,
  call: { now: number; error?: string; retryAfterMs?: number },
) =>
  operation(`${verb} ${key}, ${token} at ${call.now}`, async (outbox) => {
    const [row] = (await outbox.list({ dedupKey: key })).messages
    return await outbox[verb]({ id: row?.id ?? 999, token, attempts: token }, { error, ...call })
  })

/** A tiny alphabet: leases of 10 ms, at their exact end and around it; tokens held, stale and unknown. */
export const operations: readonly Operation[] = [
  operation('enqueue one', (outbox) => outbox.enqueue(one, { now: 100 })),
  operation('enqueue two, three, two', (outbox) => outbox.enqueue([two, three, two], { now: 100, run: 'r' })),
  operation('enqueue four', (outbox) => outbox.enqueue(four, { now: 99 })),
  operation('derive five', (outbox) => derive(outbox, five, 100)),
  operation('derive one', (outbox) => derive(outbox, one, 101)),
  lease(100, 1),
  lease(104, 5),
  lease(110, 5),
  lease(111, 2),
  lease(111, 5, 1),
  lease(146, 5),
  answer('sent', 'one', 1, { now: 104 }),
  answer('sent', 'one', 2, { now: 113 }),
  answer('sent', 'three', 1, { now: 104 }),
  answer('retry', 'one', 1, { now: 104 }),
  answer('retry', 'one', 2, { now: 113 }),
  answer('retry', 'three', 1, { retryAfterMs: 30, now: 144 }),
  answer('retry', 'three', 1, { now: 145 }),
  answer('dead', 'one', 1, { now: 105 }),
  answer('dead', 'two', 1, { now: 105 }),
  operation('cancel one, three', (outbox) => outbox.cancel({ dedupKeys: ['one', 'three'] }, { now: 103 })),
  operation('cancel a, k', (outbox) => outbox.cancel({ destination: 'a', orderingKey: 'k' }, { now: 103 })),
  operation('redrive one', (outbox) => outbox.redrive({ dedupKeys: ['one', 'two'] }, { now: 106 })),
  operation('redrive 1 of a', (outbox) => outbox.redrive({ destination: 'a', limit: 1 }, { now: 106 })),
  operation('disable a', (outbox) => outbox.disable('a', { now: 102, reason: 'r' })),
  operation('disable b', (outbox) => outbox.disable('b', { now: 103 })),
  operation('enable a', (outbox) => outbox.enable('a')),
  operation('sweep 1 by 1', (outbox) => outbox.sweep({ retention: 5, step: 1, steps: 2, now: 110 })),
  operation('sweep', (outbox) => outbox.sweep({ retention: 5, now: 200 })),
]

const all = operation('enqueue all', (outbox) => outbox.enqueue([one, two, three, four], { now: 100 }))
const named = (name: string) => {
  const found = operations.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no operation ${name}`)
  return found
}

/** Where the sequences begin. From the later ones a few steps reach retries, last attempts and orders. */
export const beginnings: readonly (readonly Operation[])[] = [
  [],
  [all],
  [all, named('lease 5 at 104')],
  [
    all,
    named('lease 5 at 104'),
    named('retry one, 1 at 104'),
    named('sent three, 1 at 104'),
    named('lease 2 at 111'),
  ],
  [
    all,
    named('lease 5 at 104'),
    named('dead one, 1 at 105'),
    named('lease 2 at 111'),
    named('lease 5 at 146'),
  ],
]

/** Those that make the others possible or impossible. */
export const few: readonly Operation[] = [
  'enqueue one',
  'enqueue two, three, two',
  'lease 1 at 100',
  'lease 5 at 110',
  'lease 2 at 111',
  'lease 5 at 111, 1 each',
  'sent one, 1 at 104',
  'sent one, 2 at 113',
  'retry one, 1 at 104',
  'dead one, 1 at 105',
  'cancel one, three',
  'redrive one',
  'disable a',
  'sweep',
].map(named)
