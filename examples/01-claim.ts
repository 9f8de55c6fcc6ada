/** One winner per key per window. Time is an argument here, so that the example always prints the same. */
import { DatabaseSync } from 'node:sqlite'
import { createClaims } from '@rowlock/core/claims'
import { sqlite } from '@rowlock/core/sqlite'

const claims = createClaims(sqlite(new DatabaseSync(':memory:')))
await claims.install()

const ttl = '15m'
const minute = 60_000

for (const minutes of [0, 1, 15, 16]) {
  const claim = await claims.acquire('invoice:42', { ttl, now: minutes * minute })
  const answer = claim.won
    ? `won, ${claim.from}`
    : claim.reason === 'unknown'
      ? 'could not ask'
      : `${claim.reason}, try again in ${claim.retryAfterMs} ms`
  console.log(`minute ${minutes}: ${answer}`)
}

/* Output:
minute 0: won, first
minute 1: held, try again in 840001 ms
minute 15: held, try again in 1 ms
minute 16: won, again
*/
