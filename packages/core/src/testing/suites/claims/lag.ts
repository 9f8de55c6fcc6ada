import { sql } from '../../../port/sql.ts'
import { equal, ok, rejects } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { claimsOn, createEvents, eventRow, query, wins, won, word } from './given.ts'

const EVENTS = { table: 'event_claims', key: 'fingerprint', insert: ['message'] }
const values = { message: 'x' }

export const lagCases: readonly Case[] = [
  {
    name: 'before the columns are there, the first to come keeps the key and nobody else wins it',
    async run({ driver }) {
      await createEvents(driver)
      const events = claimsOn(driver, EVENTS)
      const racers = Array.from({ length: 16 }, () => events.acquire('k', { values, now: 1000 }))
      const outcomes = await Promise.all(racers)
      equal(wins(outcomes), 1)
      const winner = outcomes.find((outcome) => outcome.won)
      equal([winner?.token, winner?.expiresAt, winner?.from], [null, 1100, 'first'])
      equal(await events.acquire('k', { values, now: 9000 }), {
        won: false,
        reason: 'held',
        expiresAt: null,
        retryAfterMs: 101,
        token: null,
        holder: null,
      })
      equal((await events.acquireMany(keysOf('k', 'l'), { now: 1000 })).map(word), ['held', 'first'])
      const row = await events.inspect('k')
      equal([row?.state, row?.claimedAt], ['held', null])
    },
  },
  {
    name: 'windows work as soon as the columns are there, without a restart, and each key is won once more',
    async run({ driver }) {
      await createEvents(driver)
      const events = claimsOn(driver, EVENTS)
      const at = async (now: number) => word(await events.acquire('k', { values, now }))
      equal([await at(1000), await at(2000)], ['first', 'held'])
      await query(driver, sql`alter table event_claims add column claimed_at ${driver.dialect.integer}`)
      equal(
        [await at(2001), await at(2002), await at(2101), await at(2102)],
        ['again', 'held', 'held', 'again'],
      )
      await events.install()
      equal(
        [await at(2103), await at(2103), await at(2203), await at(2204)],
        ['again', 'held', 'held', 'again'],
      )
      ok((await events.renew(won(await events.acquire('new', { values, now: 1 })), { now: 2 })).renewed)
    },
  },
  {
    name: 'the migration adds the columns once, and can hold for one window what was there before',
    async run({ driver }) {
      await createEvents(driver, sql`, claimed_at ${driver.dialect.integer}`)
      await query(
        driver,
        sql`insert into event_claims (fingerprint, claimed_at) values ('old', null), ('won', 950)`,
      )
      const events = claimsOn(driver, EVENTS)
      await events.install({ existing: 'held', now: 1000 })
      await events.install({ existing: 'held', now: 5000 })
      const old = await eventRow(driver, 'old')
      equal([old?.claimed_at, old?.expires_at, old?.token], [1000, 1100, 1000])
      const at = async (key: string, now: number) => word(await events.acquire(key, { values, now }))
      equal([await at('old', 1100), await at('old', 1101)], ['held', 'again'])
      equal([await at('won', 1050), await at('won', 1051)], ['held', 'again'], 'from when it was won')
    },
  },
  {
    name: 'one may rather have an error, or the third answer',
    async run({ driver }) {
      await createEvents(driver)
      const missing = { code: 'SCHEMA', problem: 'missing-column' }
      const strict = claimsOn(driver, { ...EVENTS, whenColumnMissing: 'throw' })
      await rejects(strict.acquire('k', { values, now: 1000 }), missing)
      await rejects(strict.acquireMany(keysOf('k'), { now: 1000 }), missing)
      const unknowing = claimsOn(driver, { ...EVENTS, whenColumnMissing: 'unknown' })
      const outcome = await unknowing.acquire('k', { values, now: 1000 })
      ok(!outcome.won && outcome.reason === 'unknown' && outcome.cause.code === 'SCHEMA')
      equal((await unknowing.acquireMany(keysOf('k', 'l'), { now: 1000 })).map(word), ['unknown', 'unknown'])
      equal(await eventRow(driver, 'k'), undefined)
    },
  },
  {
    name: 'a column of one’s own that is missing is never taken for an old table',
    async run({ driver }) {
      await createEvents(driver)
      const events = claimsOn(driver, { ...EVENTS, insert: ['message', 'colour'] })
      const call = () => events.acquire('k', { values: { message: 'x', colour: 'red' }, now: 1000 })
      await rejects(call, { code: 'SCHEMA', problem: 'missing-column' })
      equal(await eventRow(driver, 'k'), undefined)
    },
  },
  {
    // ShedLock #753: what was missing at the first call must not be remembered as missing.
    name: 'a table that is made after the first call is used at once',
    async run({ driver }) {
      const claims = claimsOn(driver, { prefix: 'later_' })
      const missing = { code: 'SCHEMA', problem: 'missing-table' }
      await rejects(claims.acquire('k', { now: 1000 }), missing)
      await rejects(claims.inspect('k'), missing)
      await claims.install()
      equal(word(await claims.acquire('k', { now: 1000 })), 'first')
      equal(word(await claims.acquire('k', { now: 1000 })), 'held')
      const events = claimsOn(driver, EVENTS)
      await rejects(events.acquire('k', { values, now: 1000 }), missing)
      await createEvents(driver)
      equal(word(await events.acquire('k', { values, now: 1000 })), 'first')
    },
  },
]

function keysOf(...keys: string[]) {
  return keys.map((key) => ({ key, values }))
}
