import { perDialect } from '../../../port/dialect.ts'
import { raw, sql } from '../../../port/sql.ts'
import { equal, ok } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { claimsOn, query, TTL, wins, won, word } from './given.ts'

export const windowCases: readonly Case[] = [
  {
    // powertools-python #4759: a remaining time of 0 was read as no limit at all.
    name: 'a key is held to the exact end of its window, and free one millisecond later',
    async run({ driver }) {
      const claims = claimsOn(driver)
      equal(await claims.acquire('k', { holder: 'anna', now: 1000 }), {
        won: true,
        key: 'k',
        token: 1000,
        holder: 'anna',
        expiresAt: 1100,
        from: 'first',
      })
      const held = { won: false, reason: 'held', expiresAt: 1100, token: 1000, holder: 'anna' }
      equal(await claims.acquire('k', { now: 1000 }), { ...held, retryAfterMs: 101 })
      equal(await claims.acquire('k', { now: 1099 }), { ...held, retryAfterMs: 2 })
      equal(await claims.acquire('k', { now: 1100 }), { ...held, retryAfterMs: 1 })
      equal(await claims.acquire('k', { holder: 'ben', now: 1101 }), {
        won: true,
        key: 'k',
        token: 1102,
        holder: 'ben',
        expiresAt: 1201,
        from: 'again',
      })
      equal(word(await claims.acquire('k', { now: 1101 })), 'held')
    },
  },
  {
    name: 'a window is won in every window, not once and for ever',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const outcomes = []
      for (let now = 1000; now < 1600; now += 10) outcomes.push(await claims.acquire('k', { now }))
      equal(wins(outcomes), 6)
    },
  },
  {
    name: 'losers never make the window longer',
    async run({ driver }) {
      const claims = claimsOn(driver)
      await claims.acquire('k', { now: 1000 })
      for (let now = 1001; now <= 1100; now += 9) await claims.acquire('k', { ttl: 10_000, now })
      equal(word(await claims.acquire('k', { now: 1101 })), 'again')
    },
  },
  {
    name: 'a caller with a short ttl does not take a long claim over, and one with a long ttl does not wait longer',
    async run({ driver }) {
      const claims = claimsOn(driver)
      await claims.acquire('long', { ttl: 1000, now: 1000 })
      equal(word(await claims.acquire('long', { ttl: 1, now: 2000 })), 'held')
      equal(word(await claims.acquire('long', { ttl: 1, now: 2001 })), 'again')
      await claims.acquire('short', { ttl: 1, now: 1000 })
      equal(word(await claims.acquire('short', { ttl: 1000, now: 1002 })), 'again')
    },
  },
  {
    name: 'rows without a claim, and old winners without an end, are won once',
    async run({ driver }) {
      await query(
        driver,
        sql`insert into rowlock_claims (key, claimed_at) values ('never', null), ('endless', 900)`,
      )
      const claims = claimsOn(driver)
      for (const key of ['never', 'endless']) {
        const outcomes = [await claims.acquire(key, { now: 1000 }), await claims.acquire(key, { now: 1000 })]
        equal(outcomes.map(word), ['again', 'held'], key)
      }
    },
  },
  {
    name: 'the clock that judges is the database’s own, read by the statement',
    async run({ driver }) {
      const clock = async () =>
        Number((await query(driver, sql`select ${driver.dialect.clock} as at`))[0]!.at)
      const claims = claimsOn(driver)
      const before = await clock()
      const { expiresAt, token } = won(await claims.acquire('k', { ttl: '1h' }))
      const after = await clock()
      ok(before <= token! && token! <= after, `${token} is not between ${before} and ${after}`)
      equal(expiresAt - token!, 3_600_000)
      equal(word(await claims.acquire('k', { ttl: '1h' })), 'held')
      await query(driver, sql`update rowlock_claims set expires_at = ${before - 1}`)
      equal(word(await claims.acquire('k', { ttl: '1h' })), 'again')
    },
  },
  {
    name: 'a clock may be injected once for all calls, and must count milliseconds',
    async run({ driver }) {
      let now = 1_700_000_000_000
      const claims = claimsOn(driver, { clock: () => now })
      equal(won(await claims.acquire('k')).token, now)
      now += TTL + 1
      equal(word(await claims.acquire('k')), 'again')
      now = 1_700_000_000
      const refused = await claims.acquire('k').catch((error) => error.code)
      equal(refused, 'INVALID_INPUT')
    },
  },
  {
    name: 'of 64 racers one wins each key, and one again after the window',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const keys = Array.from({ length: 4 }, (_, index) => `key ${index}`)
      for (const [now, from] of [
        [1000, 'first'],
        [1100, 'held'],
        [1101, 'again'],
      ] as const) {
        for (const key of keys) {
          const racers = Array.from({ length: 64 }, () => claims.acquire(key, { now }))
          const outcomes = await Promise.all(racers)
          equal(wins(outcomes), from === 'held' ? 0 : 1, `${key} at ${now}`)
          ok(outcomes.some((outcome) => word(outcome) === from))
        }
      }
    },
  },
  {
    name: 'of racers on four connections one wins each key',
    needs: ['peer'],
    async run({ driver, peer }) {
      const drivers = [driver, await peer(), await peer(), await peer()]
      const each = drivers.map((one) => claimsOn(one))
      for (let key = 0; key < 10; key++) {
        const racers = each.flatMap((claims) =>
          Array.from({ length: 8 }, () => claims.acquire(`key ${key}`, { ttl: '1h' })),
        )
        equal(wins(await Promise.all(racers)), 1)
      }
    },
  },
  {
    name: 'looking first gives the same answers',
    async run({ driver }) {
      const claims = claimsOn(driver, { lookFirst: true })
      const at = async (now: number) => word(await claims.acquire('k', { now }))
      equal(
        [await at(1000), await at(1100), await at(1101), await at(1102)],
        ['first', 'held', 'again', 'held'],
      )
    },
  },
  {
    // node #57344, bun #43306: a driver's count of changes told who won, and triggers count too.
    name: 'a win is seen by its row, whatever else the database writes along',
    async run({ driver }) {
      await query(driver, sql`create table trail (key text)`)
      const triggers = perDialect(driver.dialect, {
        sqlite: [
          `create trigger trail_insert after insert on rowlock_claims begin insert into trail values (new.key), (new.key); end`,
          `create trigger trail_update after update on rowlock_claims begin insert into trail values (new.key), (new.key); end`,
        ],
        postgres: [
          `create function trail() returns trigger language plpgsql as 'begin insert into trail values (new.key), (new.key); return new; end'`,
          `create trigger trail after insert or update on rowlock_claims for each row execute function trail()`,
        ],
      })
      for (const text of triggers) await query(driver, sql`${raw(text)}`)
      const claims = claimsOn(driver)
      const at = async (now: number) => word(await claims.acquire('k', { now }))
      equal(
        [await at(1000), await at(1000), await at(1101), await at(1101)],
        ['first', 'held', 'again', 'held'],
      )
      const many = await claims.acquireMany(['k', 'l'], { now: 1150 })
      equal(many.map(word), ['held', 'first'])
      equal((await query(driver, sql`select key from trail`)).length, 6)
    },
  },
]
