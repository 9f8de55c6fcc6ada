/** A claim that lives in columns of your own table: a win refreshes some of them and leaves the rest alone. */
import { DatabaseSync } from 'node:sqlite'
import { createClaims, excluded, increment } from '@rowlock/core/claims'
import { sqlite } from '@rowlock/core/sqlite'

const database = new DatabaseSync(':memory:')
database.exec(`create table event_claims (
  fingerprint text primary key not null,
  message text not null,
  last_seen integer not null,
  count integer not null default 1,
  ticket text,
  claimed_at integer, expires_at integer, token integer, holder text
) strict`)

const events = createClaims(sqlite(database), {
  table: 'event_claims',
  key: 'fingerprint',
  insert: ['message', 'last_seen'],
  onWin: { last_seen: excluded(), count: increment() },
})

const hour = 3_600_000
const seen = (at: number) =>
  events.acquire('disk-full', { ttl: '1h', now: at, values: { message: 'disk full', last_seen: at } })

console.log('first:', (await seen(0)).won)
database.exec(`update event_claims set ticket = 'OPS-17'`) // what later work found out
console.log('within the window:', (await seen(hour / 2)).won)
console.log('after the window:', (await seen(hour + 1)).won)
console.log({ ...database.prepare('select ticket, count, last_seen from event_claims').get() })

/* Output:
first: true
within the window: false
after the window: true
{ ticket: 'OPS-17', count: 2, last_seen: 3600001 }
*/
