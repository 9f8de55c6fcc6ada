/** An operation that must not run twice: the second call gets the first one's result. */
import { DatabaseSync } from 'node:sqlite'
import { createClaims } from '@rowlock/core/claims'
import { sqlite } from '@rowlock/core/sqlite'

const claims = createClaims(sqlite(new DatabaseSync(':memory:')))
await claims.install()

let charged = 0
async function charge(amount: number): Promise<string> {
  const outcome = await claims.once('order-7:charge', { ttl: '1d', payload: { amount } }, async () => {
    charged += 1
    return { receipt: `R-${charged}`, amount }
  })
  if (outcome.ran) return `charged, ${outcome.result.receipt}`
  return outcome.reason === 'done' ? `already charged, ${JSON.stringify(outcome.result)}` : outcome.reason
}

console.log(await charge(250))
console.log(await charge(250))
console.log(await charge(999)) // the same key with another payload is a mistake of the caller's
console.log('charged:', charged)

/* Output:
charged, R-1
already charged, {"receipt":"R-1","amount":250}
mismatch
charged: 1
*/
