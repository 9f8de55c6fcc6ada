import { createOutbox, type Outbox } from '../../src/outbox/index.ts'
import { sql } from '../../src/port/sql.ts'
import type { Kind, Verb } from './verbs.ts'
import { DOWN, message, OPTIONS, RETENTION } from './world.ts'

const verb = (name: string, kind: Kind, run: (outbox: Outbox, now: number) => Promise<unknown>): Verb => ({
  name,
  kind,
  run: (driver, { now }) => run(createOutbox(driver, OPTIONS), now),
})

const error = 'no'
/** A copy of everything that waits, derived from the rows themselves. */
const copies = sql`select topic, 'd' as destination, 'copy of ' || dedup_key as dedup_key, ordering_key, payload,
  null as not_before from "rowlock_outbox" where state = 'pending' and destination <> 'd'`

export const outboxVerbs: readonly Verb[] = [
  verb('enqueue', 'enqueue', (outbox, now) => outbox.enqueue([message('new'), message('down')], { now })),
  verb('enqueueFrom', 'enqueue', (outbox, now) => outbox.enqueueFrom(copies, { now })),
  verb('lease', 'lease', (outbox, now) => outbox.lease({ limit: 10, ttl: 50, now })),
  verb('lease one', 'lease', (outbox, now) => outbox.lease({ limit: 1, ttl: 50, now, perDestination: 1 })),
  verb('sent', 'sent', (outbox, now) => outbox.sent(DOWN, { now })),
  verb('retry', 'retry', (outbox, now) => outbox.retry(DOWN, { error, now })),
  verb('dead', 'dead', (outbox, now) =>
    outbox.dead(DOWN, { error, now, also: [outbox.statements.disable('a', { now })] }),
  ),
  verb('cancel', 'cancel', (outbox, now) => outbox.cancel({ dedupKeys: ['up', 'down', 'free'] }, { now })),
  verb('redrive', 'redrive', (outbox, now) => outbox.redrive({ destination: 'a' }, { now })),
  verb('disable', 'switch', (outbox, now) => outbox.disable('c', { now })),
  verb('enable', 'switch', (outbox, now) => outbox.enable('c', { now })),
  verb('list messages', 'look', (outbox) => outbox.list()),
  verb('sweep messages', 'outbox-sweep', (outbox, now) => outbox.sweep({ retention: RETENTION, now })),
]
