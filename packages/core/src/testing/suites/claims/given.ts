import {
  type AcquireOutcome,
  type Claim,
  type Claims,
  type ClaimsOptions,
  createClaims,
} from '../../../claims/index.ts'
import type { Driver, Row } from '../../../port/driver.ts'
import { type Sql, sql, statement } from '../../../port/sql.ts'
import { fail, show } from '../../assert.ts'

/** What the cases of the claims' suite begin with. Instants are small numbers; one window is 100 ms. */

export const TTL = 100

/** Claims that never look first: otherwise a look could hide what the statement that decides would do. */
export function claimsOn(driver: Driver, options: ClaimsOptions = {}): Claims {
  return createClaims(driver, { ttl: TTL, lookFirst: false, ...options })
}

/** The claim, of an outcome that has to be a win. */
export function won(outcome: AcquireOutcome): Claim {
  return outcome.won ? outcome : fail(`expected a win; got ${show(outcome)}`)
}

/** How many of the outcomes are wins. */
export function wins(outcomes: readonly AcquireOutcome[]): number {
  return outcomes.filter((outcome) => outcome.won).length
}

/** 'first' or 'again' for a win, else the reason. */
export function word(outcome: AcquireOutcome): string {
  return outcome.won ? outcome.from : outcome.reason
}

/** Runs one statement of the case's own. */
export function query(driver: Driver, text: Sql): Promise<Row[]> {
  return driver.execute(statement(driver.dialect, text, { name: 'test.query' }))
}

/** A table of the user's own, with the key column `fingerprint` and no column of the claim's. */
export async function createEvents(driver: Driver, columns: Sql = sql``): Promise<void> {
  await query(
    driver,
    sql`create table event_claims (
  fingerprint text not null primary key, source text, level text, message text,
  first_seen ${driver.dialect.integer}, last_seen ${driver.dialect.integer}, count ${driver.dialect.integer} not null default 1,
  ticket text${columns})${driver.dialect.tableOptions}`,
  )
}

/** One row of `event_claims`, or undefined. */
export async function eventRow(driver: Driver, fingerprint: string): Promise<Row | undefined> {
  const [row] = await query(driver, sql`select * from event_claims where fingerprint = ${fingerprint}`)
  return row && { ...row }
}

/** A driver that does something of its own before the next statement of a name. */
export function beforeNext(driver: Driver, name: string, act: () => Promise<unknown>): Driver {
  let done = false
  return {
    ...driver,
    async execute(given) {
      if (given.name === name && !done) {
        done = true
        await act()
      }
      return driver.execute(given)
    },
    batch: (given) => driver.batch(given),
  }
}
