/** Several writes, all or none, each proving what it wrote. The same code runs on D1, which has no transactions. */
import { DatabaseSync } from 'node:sqlite'
import { atomic, sql } from '@rowlock/core'
import { sqlite } from '@rowlock/core/sqlite'

const database = new DatabaseSync(':memory:')
database.exec('create table accounts (id text primary key not null, balance integer not null) strict')
database.exec(`insert into accounts values ('anna', 300), ('ben', 0)`)
const driver = sqlite(database)

const transfer = (amount: number) =>
  atomic(driver)
    .write(
      sql`update accounts set balance = balance - ${amount}
          where id = 'anna' and balance >= ${amount} returning balance`,
      { name: 'debit', expect: 1 },
    )
    .write(sql`update accounts set balance = balance + ${amount} where id = 'ben' returning balance`, {
      name: 'credit',
      expect: 1,
    })
    .commit()

const answers = await Promise.all(Array.from({ length: 8 }, () => transfer(100)))
console.log('moved:', answers.filter((answer) => answer.ok).length)

const refused = answers.find((answer) => !answer.ok)
if (refused?.reason === 'condition') {
  const { name, expected, actual } = refused.failed
  console.log(`refused by ${name}: ${expected} row expected, ${actual} written`)
}
for (const row of database.prepare('select id, balance from accounts').all()) console.log({ ...row })

/* Output:
moved: 3
refused by debit: 1 row expected, 0 written
{ id: 'anna', balance: 0 }
{ id: 'ben', balance: 300 }
*/
