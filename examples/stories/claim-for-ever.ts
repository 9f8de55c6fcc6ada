import { type Driver, sql, statement } from '@rowlock/core'
import { createClaims } from '@rowlock/core/claims'

/**
 * Story 1: the winner that is elected once and for ever.
 *
 * An error comes every four minutes for an hour. One of them per window of 15 minutes is to open a
 * ticket: four tickets. `insert ... on conflict do nothing` elects the first one well, and then
 * nobody ever again, because the row never goes away: when the cache in front forgets, the table
 * still remembers.
 */
export const title =
  'An error every 4 minutes for an hour, one ticket per window of 15 minutes: 4 tickets are right.'

const EVERY_MS = 4 * 60_000
const WINDOW_MS = 15 * 60_000
const EVENTS = 15

export async function broken(driver: Driver): Promise<string> {
  await driver.execute(
    statement(driver.dialect, sql`create table seen_errors (fingerprint text primary key not null)`, {
      name: 'story.create',
    }),
  )
  const elect = statement(
    driver.dialect,
    sql`insert into seen_errors (fingerprint) values (${'disk-full'}) on conflict do nothing returning fingerprint`,
    { name: 'story.elect' },
  )
  let tickets = 0
  let cachedUntil = -1
  for (const now of instants()) {
    if (now <= cachedUntil) continue
    tickets += (await driver.execute(elect)).length
    cachedUntil = now + WINDOW_MS
  }
  return `${tickets} ticket`
}

export async function ours(driver: Driver): Promise<string> {
  const claims = createClaims(driver)
  await claims.install()
  let tickets = 0
  for (const now of instants()) {
    const claim = await claims.acquire('disk-full', { ttl: WINDOW_MS, now })
    if (claim.won) tickets += 1
  }
  return `${tickets} tickets`
}

function instants(): number[] {
  return Array.from({ length: EVENTS }, (_, index) => index * EVERY_MS)
}
