import { excluded, increment } from '../../../claims/index.ts'
import type { Driver } from '../../../port/driver.ts'
import { sql } from '../../../port/sql.ts'
import { equal, rejects } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { claimsOn, createEvents, eventRow, query, wins, won, word } from './given.ts'

const EVENTS = {
  table: 'event_claims',
  key: 'fingerprint',
  insert: ['source', 'level', 'message', 'first_seen', 'last_seen'],
  onWin: { last_seen: excluded(), count: increment() },
}

function event(at: number) {
  return { source: 'web', level: 'error', message: `at ${at}`, first_seen: at, last_seen: at }
}

export const ownTableCases: readonly Case[] = [
  {
    name: 'a table of one’s own: a win refreshes what was declared and touches nothing else',
    async run({ driver }) {
      await withTime(driver)
      const events = claimsOn(driver, EVENTS)
      const seen = (now: number) => events.acquire('disk', { values: event(now), now })

      equal(word(await seen(1000)), 'first')
      equal(await eventRow(driver, 'disk'), {
        fingerprint: 'disk',
        ...event(1000),
        count: 1,
        ticket: null,
        claimed_at: 1000,
      })
      await query(driver, sql`update event_claims set ticket = 'OPS-17', level = 'muted'`)
      equal([word(await seen(1050)), word(await seen(1100))], ['held', 'held'])
      equal(word(await seen(1101)), 'again')
      equal(await eventRow(driver, 'disk'), {
        fingerprint: 'disk',
        ...event(1000),
        level: 'muted',
        last_seen: 1101,
        count: 2,
        ticket: 'OPS-17',
        claimed_at: 1101,
      })
      equal(word(await seen(1101)), 'held')
    },
  },
  {
    name: 'a table with only claimed_at: it is the token, rows without it are won once, racers have one winner',
    async run({ driver }) {
      await withTime(driver)
      await query(driver, sql`insert into event_claims (fingerprint) values ('old')`)
      const events = claimsOn(driver, EVENTS)
      const racers = (now: number) =>
        Promise.all(Array.from({ length: 16 }, () => events.acquire('old', { values: event(now), now })))
      const outcomes = [await racers(1000), await racers(1100), await racers(1101)]
      equal(outcomes.map(wins), [1, 0, 1])
      const [first] = outcomes[0]!.filter((outcome) => outcome.won)
      equal([first?.token, first?.from, first?.expiresAt], [1000, 'again', 1100])
      const held = { won: false, reason: 'held', expiresAt: 1201, retryAfterMs: 1, token: 1101, holder: null }
      equal(await events.acquire('old', { values: event(0), now: 1201 }), held)
      const view = await events.inspect('old', { now: 1201 })
      equal([view?.state, view?.claimedAt, view?.expiresAt, view?.token], ['held', 1101, 1201, 1101])
      const { claims } = await events.list({ state: 'free', now: 1202 })
      equal(
        claims.map(({ key }) => key),
        ['old'],
      )
    },
  },
  {
    name: 'a table with only claimed_at takes many keys with their values, and tells first from again',
    async run({ driver }) {
      await withTime(driver)
      const events = claimsOn(driver, EVENTS)
      const inputs = (at: number) => ['b', 'a'].map((key) => ({ key, values: event(at) }))
      await events.acquire('a', { values: event(900), now: 900 })
      equal((await events.acquireMany(inputs(1001), { now: 1001 })).map(word), ['first', 'again'])
      const row = await eventRow(driver, 'a')
      equal([row?.message, row?.last_seen, row?.count], ['at 900', 1001, 2])
      equal((await eventRow(driver, 'b'))?.message, 'at 1001')
    },
  },
  {
    name: 'the other verbs name the columns that a table lacks',
    async run({ driver }) {
      await withTime(driver)
      const lease = { expiresAt: null, token: null, holder: null }
      const events = claimsOn(driver, { ...EVENTS, columns: lease })
      const claim = won(await events.acquire('disk', { values: event(1000), now: 1000 }))
      const missing = { code: 'SCHEMA', problem: 'missing-column' }
      await rejects(events.renew(claim), missing)
      await rejects(events.release(claim), missing)
      await rejects(events.complete(claim), missing)
      await rejects(() => events.once('disk', {}, () => 1), missing)
      await rejects(async () => events.guard(claim), missing)
      await rejects(events.sweep(), { code: 'INVALID_INPUT' })
    },
  },
  {
    name: 'a table with all columns, under names of its own, has every verb',
    async run({ driver }) {
      const { integer } = driver.dialect
      await createEvents(
        driver,
        sql`, won_at ${integer}, until ${integer}, fence ${integer}, owner text, progress text, outcome text, payload text`,
      )
      const columns = {
        claimedAt: 'won_at',
        expiresAt: 'until',
        token: 'fence',
        holder: 'owner',
        state: 'progress',
        result: 'outcome',
        fingerprint: 'payload',
      }
      const events = claimsOn(driver, { table: 'event_claims', key: 'fingerprint', columns })
      const claim = won(await events.acquire('disk', { holder: 'anna', now: 1000 }))
      equal(await events.renew(claim, { now: 1050 }), { renewed: true, expiresAt: 1150 })
      equal(await events.complete(claim, 7, { now: 1051 }), { completed: true, expiresAt: 1150 })
      equal(word(await events.acquire('disk', { now: 1150 })), 'done')
      const row = await eventRow(driver, 'disk')
      equal([row?.won_at, row?.until, row?.fence, row?.owner, row?.outcome], [1000, 1150, 1000, 'anna', '7'])
      const ran = await events.once('other', { payload: 1, now: 1000 }, () => 'x')
      equal(ran, { ran: true, result: 'x', recorded: 'yes' })
    },
  },
]

/** `event_claims` as it often is: with a time of the last win, and nothing else of the claim's. */
function withTime(driver: Driver): Promise<void> {
  return createEvents(driver, sql`, claimed_at ${driver.dialect.integer}`)
}
