import type { Row } from '../../port/driver.ts'
import { integer, integerOrNull, text, textOrNull } from '../../port/row.ts'
import type { MessageState, Named, StoredMessage } from '../types.ts'

/** A row of the outbox as a message. */
export function stored(row: Row): StoredMessage {
  return {
    id: integer(row, 'id'),
    topic: text(row, 'topic'),
    destination: text(row, 'destination'),
    dedupKey: text(row, 'dedup_key'),
    orderingKey: textOrNull(row, 'ordering_key'),
    payload: text(row, 'payload'),
    notBefore: integer(row, 'not_before'),
    state: text(row, 'state') as MessageState,
    token: integer(row, 'token'),
    leaseUntil: integerOrNull(row, 'lease_until'),
    attempts: integer(row, 'attempts'),
    giveUpAt: integer(row, 'give_up_at'),
    lastError: textOrNull(row, 'last_error'),
    run: textOrNull(row, 'run'),
    createdAt: integer(row, 'created_at'),
    finishedAt: integerOrNull(row, 'finished_at'),
  }
}

/** RETURNING promises no order; ids are the order in which the messages came. */
export function named(rows: readonly Row[]): Named[] {
  return rows
    .map((row) => ({ id: integer(row, 'id'), dedupKey: text(row, 'dedup_key') }))
    .sort((left, right) => left.id - right.id)
}
