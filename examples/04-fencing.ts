/** A worker that slept past its window writes nothing: the batch itself proves that the claim is still held. */
import { DatabaseSync } from 'node:sqlite'
import { atomic, sql } from '@rowlock/core'
import { createClaims } from '@rowlock/core/claims'
import { sqlite } from '@rowlock/core/sqlite'

const database = new DatabaseSync(':memory:')
database.exec('create table reports (id integer primary key, body text not null) strict')
const driver = sqlite(database)
const claims = createClaims(driver)
await claims.install()

const first = await claims.acquire('report', { ttl: '1m', now: 0 })
const second = await claims.acquire('report', { ttl: '1m', now: 60_001 }) // the first one slept too long
if (!first.won || !second.won) throw new Error('both had to win, one after the other')

const write = (body: string, claim: typeof first) =>
  atomic(driver)
    .check(claims.guard(claim, { now: 60_002 }))
    .write(sql`insert into reports (body) values (${body}) returning id`, { name: 'report', expect: 1 })
    .commit()

console.log('late:', (await write('from the sleeper', first)).ok)
console.log('now:', (await write('from the holder', second)).ok)
console.log(
  database
    .prepare('select body from reports')
    .all()
    .map((row) => row.body),
)

/* Output:
late: false
now: true
[ 'from the holder' ]
*/
