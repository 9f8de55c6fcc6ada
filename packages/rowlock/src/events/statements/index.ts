import { type Dialect, identifier, type Sql, sql } from '@rowlock/core'
import { count } from './count.ts'
import { counted } from './counted.ts'
import { free } from './free.ts'
import { hours } from './hours.ts'
import { mark } from './mark.ts'
import { reject } from './reject.ts'
import { samples } from './samples.ts'
import { see } from './see.ts'
import { totals } from './totals.ts'

export { notices } from './notices.ts'

/** The statements that a group of events is written with, in the order of their batch. */
export function eventStatements(dialect: Dialect) {
  return {
    see: see(dialect),
    count: count(dialect),
    counted: counted(dialect),
    hours: hours(dialect),
    samples: samples(dialect),
    mark: mark(dialect),
    free: free(dialect),
    reject: reject(dialect),
    totals: totals(dialect),
  }
}

/** Which issues a run may claim: open ones that it has brought a new event to. */
export function claimable(run: string): Sql {
  const issues = identifier('rowlock_issues')
  return sql`${issues}.state = 'open' and ${issues}.run = ${run}`
}
