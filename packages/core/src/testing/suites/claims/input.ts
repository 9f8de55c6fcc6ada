import { createClaims } from '../../../claims/index.ts'
import { sql } from '../../../port/sql.ts'
import { equal, ok, rejects, throws } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { claimsOn, createEvents, eventRow, query, won, word } from './given.ts'

const INVALID = { code: 'INVALID_INPUT' }
const BAD_TTLS = [
  0,
  -1,
  -100,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  '',
  '15',
  'm',
  '-5m',
  '1.5h',
  '0s',
]
const BAD_KEYS = ['', 'a\0b', '\ud800', 'x'.repeat(70_000), 7 as never, null as never, undefined as never]

export const inputCases: readonly Case[] = [
  {
    name: 'a ttl that is no length of time is refused before anything is sent',
    async run({ driver }) {
      const claims = createClaims(unreachable(driver))
      for (const ttl of [...BAD_TTLS, undefined]) {
        await rejects(claims.acquire('k', { ttl }), INVALID)
        await rejects(claims.acquireMany(['k'], { ttl }), INVALID)
        await rejects(claims.renew({ key: 'k', token: 1 }, { ttl }), INVALID)
        await rejects(async () => claims.statements.acquire('k', { ttl, holder: 'x' }), INVALID)
        if (ttl !== undefined) throws(() => createClaims(driver, { ttl }), INVALID)
      }
    },
  },
  {
    name: 'a key that an engine would not keep as it is is refused before anything is sent',
    async run({ driver }) {
      const claims = claimsOn(unreachable(driver))
      for (const key of BAD_KEYS) {
        await rejects(claims.acquire(key), INVALID)
        await rejects(claims.acquireMany(['fine', key]), INVALID)
        await rejects(claims.inspect(key), INVALID)
        await rejects(claims.release({ key, token: 1 }), INVALID)
      }
      for (const token of [null, -1, 1.5, Number.NaN, '1' as never]) {
        await rejects(claims.renew({ key: 'k', token }), INVALID)
      }
      for (const now of [-1, 1.5, Number.NaN]) await rejects(claims.acquire('k', { now }), INVALID)
    },
  },
  {
    name: 'keys are kept apart as they were written: quotes, case, spaces, scripts, accents, length',
    async run({ driver }) {
      const claims = claimsOn(driver)
      const keys = [
        `'; drop table rowlock_claims; --`,
        'a"b',
        'a',
        'A',
        'a ',
        ' a',
        'ä',
        'a\u0308',
        '鍵',
        '🔑',
        '%',
        '_',
        '[x]',
        '[]',
        `${'é'.repeat(300)}1`,
        `${'é'.repeat(300)}2`,
        'x'.repeat(512),
        'x'.repeat(513),
        'x'.repeat(10_000),
        `${'x'.repeat(10_000)}y`,
      ]
      equal(
        (await claims.acquireMany(keys, { now: 1000 })).map(word),
        keys.map(() => 'first'),
      )
      for (const key of keys) {
        equal(word(await claims.acquire(key, { now: 1000 })), 'held', key)
        equal((await claims.inspect(key, { now: 1000 }))?.key, key)
      }
      equal((await query(driver, sql`select key from rowlock_claims`)).length, keys.length)
    },
  },
  {
    // jamjet #125: the same key in two scopes blocked each other.
    name: 'scopes never meet, whatever they and their keys are called',
    async run({ driver }) {
      const pairs = [
        [undefined, 'a'],
        [undefined, '[s]a'],
        [undefined, '[]a'],
        ['s', 'a'],
        ['s]', 'a'],
        ['s', ']a'],
        ['%5D', 'a'],
        ['[s', 'a'],
        ['S', 'a'],
      ] as const
      for (const [scope, key] of pairs) {
        const claims = claimsOn(driver, { scope })
        equal(word(await claims.acquire(key, { now: 1000 })), 'first', `${scope} ${key}`)
        equal(word(await claims.acquire(key, { now: 1000 })), 'held', `${scope} ${key}`)
      }
      const all = (await claimsOn(driver).list({ now: 1000 })).claims
      const listed = all.map(({ scope, key }) => `${scope} ${key}`).sort()
      equal(listed, pairs.map(([scope, key]) => `${scope ?? null} ${key}`).sort())
      const own = (await claimsOn(driver, { scope: 's' }).list({ now: 1000 })).claims
      equal(
        own.map(({ key }) => key),
        [']a', 'a'],
      )
      equal(await claimsOn(driver, { scope: 's' }).sweep({ olderThan: 1, now: 5000 }), {
        removed: 2,
        more: false,
      })
    },
  },
  {
    name: 'values are checked too: each declared column, none besides, and text that every engine keeps',
    async run({ driver }) {
      const { integer } = driver.dialect
      await createEvents(
        driver,
        sql`, claimed_at ${integer}, expires_at ${integer}, token ${integer}, holder text`,
      )
      const events = claimsOn(driver, {
        table: 'event_claims',
        key: 'fingerprint',
        insert: ['message', 'count'],
      })
      for (const values of [undefined, {}, { message: 'x' }, { message: 'x', count: 1, other: 1 }]) {
        await rejects(events.acquire('k', { values, now: 1000 }), INVALID)
      }
      for (const message of ['a\0b', '\udc00']) {
        await rejects(events.acquire('k', { values: { message, count: 1 } }), INVALID)
        await rejects(events.acquireMany([{ key: 'k', values: { message, count: 1 } }]), INVALID)
      }
      const values = { message: `it's "5"`, count: 5 }
      won(await events.acquire('one', { values, now: 1000 }))
      won((await events.acquireMany([{ key: 'many', values }], { now: 1000 }))[0]!)
      for (const key of ['one', 'many']) {
        const row = await eventRow(driver, key)
        equal([row?.message, row?.count, row?.token], [values.message, 5, 1000], key)
      }
    },
  },
  {
    name: 'rows that cannot be right are reported, and a time ahead of the clock is reclaimed by one if so wished',
    async run({ driver }) {
      const reports: string[] = []
      const onSuspicion = (report: { kind: string; key: string; column: string }) =>
        reports.push(`${report.kind} ${report.key} ${report.column}`)
      const now = 1_700_000_000_000
      await query(
        driver,
        sql`insert into rowlock_claims (key, claimed_at, expires_at) values
('seconds', 1700000000, ${now + 9}), ('future', ${now + 60_001}, ${now + 90_000}), ('fine', ${now}, ${now + 9})`,
      )
      const claims = claimsOn(driver, { onSuspicion })
      for (const key of ['seconds', 'future', 'fine']) equal(word(await claims.acquire(key, { now })), 'held')
      equal(reports, ['seconds seconds claimed_at', 'future future claimed_at'])
      const policy = claimsOn(driver, { whenInFuture: 'reclaim', futureTolerance: '1m' })
      equal((await policy.inspect('future', { now }))?.state, 'free')
      equal(word(await policy.acquire('future', { now: now + 1 })), 'held', 'one minute ahead is tolerated')
      const outcomes = await Promise.all([1, 2, 3].map(() => policy.acquire('future', { now })))
      equal(outcomes.map(word).sort(), ['again', 'held', 'held'])
      ok((await policy.acquire('fine', { now })).won === false)
    },
  },
]

/** The driver of a case in which nothing may be sent. */
function unreachable(driver: Parameters<typeof query>[0]): typeof driver {
  const fail = () => Promise.reject(new Error('something was sent'))
  return { ...driver, execute: fail, batch: fail }
}
