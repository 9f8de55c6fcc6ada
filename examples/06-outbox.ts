/** The message is written with what caused it, or not at all. */
import { DatabaseSync } from 'node:sqlite'
import { atomic, sql } from '@rowlock/core'
import { createOutbox } from '@rowlock/core/outbox'
import { sqlite } from '@rowlock/core/sqlite'

const database = new DatabaseSync(':memory:')
database.exec('create table orders (id integer primary key, state text not null) strict')
database.exec(`insert into orders values (7, 'open')`)
const driver = sqlite(database)
const outbox = createOutbox(driver)
await outbox.install()

const pay = (id: number) =>
  atomic(driver)
    .write(sql`update orders set state = 'paid' where id = ${id} and state = 'open' returning id`, {
      name: 'pay',
      expect: 1,
    })
    .write(
      outbox.statements.enqueue({
        topic: 'mail',
        destination: 'customer',
        dedupKey: `order-${id}-paid`,
        payload: { order: id },
      }),
    )
    .commit()

console.log('paid:', (await pay(7)).ok)
console.log('paid twice:', (await pay(7)).ok)

const leased = await outbox.lease({ limit: 10, ttl: '1m' })
if (!leased.ok) throw leased.cause
for (const message of leased.messages) {
  console.log('to send:', message.dedupKey, message.payload)
  console.log('sent:', (await outbox.sent(message)).ok)
}
const left = await outbox.list({ state: 'pending' })
console.log('left to send:', left.messages.length)

/* Output:
paid: true
paid twice: false
to send: order-7-paid {"order":7}
sent: true
left to send: 0
*/
