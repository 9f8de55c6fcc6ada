/** An operation that must not run twice: the second call gets the first one's result. */
import { DatabaseSync } from 'node:sqlite'
import { createClaims } from '@rowlock/core/claims'
import { sqlite } from '@rowlock/core/sqlite'

const claims = createClaims(sqlite(new DatabaseSync(':memory:')))
await claims.install()

let charged = 0
const charge = (amount: number) =>
  claims.once('order-7:charge', { ttl: '1d', payload: { amount } }, async () => {
    charged += 1
    return { receipt: `R-${charged}`, amount }
  })

console.log(await charge(250))
console.log(await charge(250))
console.log(await charge(999)) // the same key with another payload is a mistake of the caller's
console.log('charged:', charged)
