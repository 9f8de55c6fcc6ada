import type { LeaseOptions, Message, Outbox, OutboxOptions, StoredMessage } from '../../../outbox/index.ts'
import { createOutbox } from '../../../outbox/index.ts'
import type { Driver } from '../../../port/driver.ts'
import { sql } from '../../../port/sql.ts'
import { fail, show } from '../../assert.ts'

/** An outbox that draws the same number every time. */
export function outboxOn(driver: Driver, options: OutboxOptions = {}): Outbox {
  return createOutbox(driver, { random: () => 0, ...options })
}

/** A message of which only the dedup key matters, unless the case says otherwise. */
export function message(dedupKey: string, fields: Partial<Message> = {}): Message {
  return { topic: 'topic', destination: 'a', dedupKey, payload: { of: dedupKey }, ...fields }
}

export function messages(count: number, prefix: string, fields: Partial<Message> = {}): Message[] {
  return Array.from({ length: count }, (_, index) =>
    message(`${prefix}${String(index).padStart(4, '0')}`, fields),
  )
}

export async function leased(outbox: Outbox, options: LeaseOptions): Promise<readonly StoredMessage[]> {
  return (await given(outbox.lease(options))).messages
}

/** The dedup keys that a lease gives. */
export async function keysOf(outbox: Outbox, options: LeaseOptions): Promise<string[]> {
  return (await leased(outbox, options)).map(({ dedupKey }) => dedupKey)
}

/** The one message that a lease gives. */
export async function leaseOne(outbox: Outbox, options: Omit<LeaseOptions, 'limit'>): Promise<StoredMessage> {
  const [only] = await leased(outbox, { limit: 1, ...options })
  return only ?? fail('expected one message to be leased; got none')
}

/** An outcome that must be a yes. */
export async function given<Outcome extends { readonly ok: boolean }>(
  outcome: Promise<Outcome>,
): Promise<Extract<Outcome, { readonly ok: true }>> {
  const answer = await outcome
  if (answer.ok) return answer as Extract<Outcome, { readonly ok: true }>
  fail(`expected ok; got ${show(answer)}`)
}

/** The row as it stands. */
export async function rowOf(outbox: Outbox, dedupKey: string): Promise<StoredMessage> {
  const { messages: found } = await outbox.list({ dedupKey })
  return found[0] ?? fail(`no row with dedup key ${dedupKey}`)
}

/** A copy of each message about `topic`, for `enqueueFrom`. */
export const copies = sql`select 'copy' as topic, destination, 'copy of ' || dedup_key as dedup_key, ordering_key, payload,
  cast(null as bigint) as not_before from "rowlock_outbox" where topic = 'topic'`
