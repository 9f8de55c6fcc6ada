import assert from 'node:assert/strict'
import type { Driver } from '@rowlock/core'
import { createClaims } from '@rowlock/core/claims'

/** What is raced for. Instants are small numbers; one window is 100 ms. */
export const KEYS = Array.from({ length: 900 }, (_, index) => `key ${index}`)
export const RACERS = 64
const TTL = 100

/** How many won each key. */
export type Wins = Readonly<Record<string, number>>

export interface Round {
  /** Each racer asks for all of these. */
  readonly keys: readonly string[]
  readonly racers: number
  readonly now: number
  /** `single`: key after key, each racer beginning at another place. `many`: a hundred keys a statement. */
  readonly by: 'single' | 'many'
}

/** Lets all racers loose at once, on these connections in turn. */
export async function race(drivers: readonly Driver[], { keys, racers, now, by }: Round): Promise<Wins> {
  const wins: Record<string, number> = {}
  const count = (key: string, won: boolean) => {
    wins[key] = (wins[key] ?? 0) + Number(won)
  }
  const racer = async (index: number) => {
    const claims = createClaims(drivers[index % drivers.length]!, { ttl: TTL, lookFirst: false })
    // Near one another, so that most keys are fought for by all; not in step, so that they overlap.
    const own = [...keys.slice(index % 8), ...keys.slice(0, index % 8)]
    if (by === 'single') {
      for (const key of own) count(key, (await claims.acquire(key, { now })).won)
      return
    }
    for (let from = 0; from < own.length; from += 100) {
      const some = own.slice(from, from + 100)
      const outcomes = await claims.acquireMany(some, { now })
      for (const [at, { won }] of outcomes.entries()) count(some[at]!, won)
    }
  }
  await Promise.all(Array.from({ length: racers }, (_, index) => racer(index)))
  return wins
}

/**
 * One winner for each key; none up to the exact end of the window; one again a millisecond later; and
 * one for each row that was there before and never claimed.
 */
export async function raceThrough(
  driver: Driver,
  run: (round: Round) => Promise<Wins>,
  { keys = KEYS, racers = RACERS, by = 'single' as Round['by'] } = {},
): Promise<void> {
  await createClaims(driver).install()
  const round = (now: number, some = keys) => run({ keys: some, racers, now, by })
  assertWins(await round(1000), keys, 1)
  const some = keys.slice(0, 90)
  assertWins(await round(1000 + TTL, some), some, 0)
  assertWins(await round(1001 + TTL, some), some, 1)
  const waiting = some.map((key) => `waiting ${key}`)
  for (const key of waiting) await insertUnclaimed(driver, key)
  assertWins(await round(1000, waiting), waiting, 1)
}

function assertWins(wins: Wins, keys: readonly string[], each: number): void {
  assert.deepEqual(wins, Object.fromEntries(keys.map((key) => [key, each])))
}

async function insertUnclaimed(driver: Driver, key: string): Promise<void> {
  const text = `insert into rowlock_claims (key) values (${driver.dialect.placeholder(1)})`
  await driver.execute({ name: 'test.insert', text, values: [key] })
}
