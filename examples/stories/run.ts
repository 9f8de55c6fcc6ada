/** Runs each story for real, the broken way and ours, on SQLite, D1's own runtime and PostgreSQL. */
import * as claimForEver from './claim-for-ever.ts'
import * as countedTwice from './counted-twice.ts'
import { openEngines } from './engines.ts'
import * as transfer from './transfer.ts'

const stories = [
  { ...claimForEver, brokenIs: 'insert ... on conflict do nothing' },
  { ...countedTwice, brokenIs: 'row lock, unique index, list.length' },
  { ...transfer, brokenIs: 'a transaction with a guarded debit' },
]

const engines = await openEngines()
try {
  for (const story of stories) {
    console.log(`\n${story.title}\n`)
    print('', story.brokenIs, 'Rowlock')
    for (const engine of engines) {
      print(engine.name, await story.broken(engine.driver), await story.ours(engine.driver))
    }
  }
} finally {
  for (const engine of engines) await engine.close()
}

function print(engine: string, broken: string, ours: string): void {
  console.log(`  ${engine.padEnd(11)} ${broken.padEnd(36)} ${ours}`)
}

/* Output:
An error every 4 minutes for an hour, one ticket per window of 15 minutes: 4 tickets are right.

              insert ... on conflict do nothing    Rowlock
  SQLite      1 ticket                             4 tickets
  D1          1 ticket                             4 tickets
  PostgreSQL  1 ticket                             4 tickets

One display falls silent, two checkers look at the same instant: one outage, and the reports add up to 1.

              row lock, unique index, list.length  Rowlock
  SQLite      1 outage, the reports say 2          1 outage, the reports say 1
  D1          1 outage, the reports say 2          1 outage, the reports say 1
  PostgreSQL  1 outage, the reports say 2          1 outage, the reports say 1

Eight transfers of 100 at once from an account that holds 300: 3 are right, and the sum stays 300.

              a transaction with a guarded debit   Rowlock
  SQLite      sum 800                              sum 300, 3 moved, 5 refused by debit
  D1          sum 800                              sum 300, 3 moved, 5 refused by debit
  PostgreSQL  sum 800                              sum 300, 3 moved, 5 refused by debit
*/
