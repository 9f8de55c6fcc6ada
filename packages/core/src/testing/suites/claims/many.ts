import { isSql, type Sql, sql, statement } from '../../../port/sql.ts'
import { equal, ok } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { claimsOn, createEvents, eventRow, query, wins, won, word } from './given.ts'

export const manyCases: readonly Case[] = [
  {
    name: 'many keys are claimed each by itself, with one answer for each input in its place',
    async run({ driver }) {
      const claims = claimsOn(driver)
      await claims.acquire('held', { holder: 'ben', now: 1000 })
      await claims.complete(won(await claims.acquire('done', { now: 1000 })), 7, { now: 1000 })
      await claims.acquire('over', { ttl: 1, now: 900 })
      const outcomes = await claims.acquireMany(['new', 'held', 'over', 'done', 'new'], {
        holder: 'anna',
        now: 1000,
      })
      equal(outcomes.map(word), ['first', 'held', 'again', 'done', 'held'])
      equal(outcomes[0], {
        won: true,
        key: 'new',
        token: 1000,
        holder: 'anna',
        expiresAt: 1100,
        from: 'first',
      })
      const held = { won: false, reason: 'held', expiresAt: 1100, retryAfterMs: 101, token: 1000 }
      equal(outcomes[1], { ...held, holder: 'ben' })
      equal(outcomes[3], { ...outcomes[3]!, reason: 'done', result: 7 })
      equal(outcomes[4], { ...held, holder: 'anna' }, 'of a key given twice, the first input wins')
      equal(await claims.acquireMany([], { now: 1000 }), [])
    },
  },
  {
    name: 'of callers with overlapping sets in opposite orders, each key has one winner',
    needs: ['peer'],
    async run({ driver, peer }) {
      const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`)
      const each = [claimsOn(driver), claimsOn(await peer())]
      for (const now of [1000, 1101]) {
        const calls = Array.from({ length: 8 }, (_, index) =>
          each[index % 2]!.acquireMany(index % 4 < 2 ? keys : keys.toReversed(), { now }),
        )
        const outcomes = (await Promise.all(calls)).flat()
        equal(wins(outcomes), keys.length)
        ok(outcomes.every((outcome) => outcome.won || outcome.reason === 'held'))
      }
    },
  },
  {
    name: 'a thousand keys take one statement, and one more for those who lose',
    async run({ driver }) {
      const names: string[] = []
      const claims = claimsOn({
        ...driver,
        execute: (given) => {
          names.push(given.name)
          return driver.execute(given)
        },
      })
      const keys = Array.from({ length: 1000 }, (_, index) => `key ${index}`)
      equal(wins(await claims.acquireMany(keys, { now: 1000 })), 1000)
      equal(wins(await claims.acquireMany(keys, { now: 1000 })), 0)
      equal(names, ['claims.acquireMany', 'claims.acquireMany', 'claims.lookMany'])
    },
  },
  {
    name: 'companions of many find the rows that were won by the holder',
    needs: ['atomic'],
    async run({ driver }) {
      await query(driver, sql`create table work (key text, token ${driver.dialect.integer})`)
      const claims = claimsOn(driver)
      await claims.acquire('b', { now: 1000 })
      const also = (holder: string) => [
        statement(
          driver.dialect,
          sql`insert into work (key, token) select key, token from rowlock_claims where holder = ${holder}`,
          { name: 'test.work' },
        ),
      ]
      const call = (holder: string) =>
        claims.acquireMany(['a', 'b', 'c'], { holder, also: also(holder), now: 1000 })
      equal((await call('anna')).map(word), ['first', 'held', 'first'])
      equal((await call('ben')).map(word), ['held', 'held', 'held'])
      const rows = await query(driver, sql`select key, token from work order by key`)
      equal(
        rows.map((row) => [row.key, row.token]),
        [
          ['a', 1000],
          ['c', 1000],
        ],
      )
    },
  },
  {
    name: 'rows that are there are claimed inside a batch, where they are free and meet a condition',
    async run({ driver }) {
      const claim = await existingRows(driver)
      const claimed = async (holder: string, now: number, keys?: readonly string[] | Sql) => {
        const rows = await claim(holder, now, keys ?? ['a', 'b', 'c', 'd', 'not there'])
        return rows.map(({ key }) => key).sort()
      }
      equal(await claimed('anna', 1000), ['a', 'd'], 'b is held, c is closed')
      equal(await claimed('ben', 1100), [])
      const rest = sql`select fingerprint from event_claims where level = 'warning'`
      equal(await claimed('ben', 1101, rest), ['a'], 'only those that the sub-select gives')
      const row = await eventRow(driver, 'a')
      equal([row?.holder, row?.token, row?.claimed_at, row?.expires_at], ['ben', 1102, 1101, 1201])
      equal([row?.count, row?.ticket, row?.source], [5, 'T-1', 'a source'], 'nothing else is touched')
    },
  },
]

/** Four rows: a open, b held until 1200, c closed, d open and released. */
async function existingRows(driver: Parameters<typeof query>[0]) {
  const { integer } = driver.dialect
  const columns = sql`, state text, claimed_at ${integer}, expires_at ${integer}, token ${integer}, holder text`
  await createEvents(driver, columns)
  await query(
    driver,
    sql`insert into event_claims (fingerprint, source, level, count, ticket, state, claimed_at, expires_at, token) values
('a', 'a source', 'warning', 5, 'T-1', 'open', null, null, null), ('b', 'b', 'error', 1, null, 'open', 1000, 1200, 1000),
('c', 'c', 'error', 1, null, 'closed', null, null, null), ('d', 'd', 'error', 1, null, 'open', null, 500, 400)`,
  )
  const claims = claimsOn(driver, { table: 'event_claims', key: 'fingerprint' })
  return async (holder: string, now: number, keys: readonly string[] | Sql) => {
    const given = { keys: isSql(keys) ? keys : [...keys], where: sql`state = ${'open'}`, holder, now }
    const [rows] = await driver.batch([claims.statements.claimExisting(given)])
    return rows!
  }
}
