import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { grouped } from '@rowlock/core'
import { type Claims, createClaims, memoryCache } from '@rowlock/core/claims'
import { sqlite } from '@rowlock/core/sqlite'
import { callers, compare, costRatio, type Figure, type Way } from './measure.ts'
import { atLeast, atMost, figureTable, type Section } from './report.ts'

const TTL_MS = 60_000

/** What a careful hand would write: one conditional upsert, and a select for the loser. */
const RAW_UPSERT = `insert into raw_claims (key, claimed_at, expires_at, token, holder) values (?, ?, ?, ?, ?)
on conflict (key) do update set claimed_at = excluded.claimed_at, expires_at = excluded.expires_at,
  token = max(coalesce(token, 0) + 1, excluded.token), holder = excluded.holder
where claimed_at is null or coalesce(expires_at, 0) < excluded.claimed_at
returning key, token, expires_at`
const RAW_LOOK = 'select token, holder, expires_at from raw_claims where key = ?'
const RAW_TABLE = `create table raw_claims (key text primary key not null, claimed_at integer, expires_at integer,
  token integer, holder text, state text, result text, fingerprint text) strict`

interface Place {
  readonly name: string
  readonly path: string
  readonly synchronous: 'normal' | 'full'
  readonly count: number
}

/** Claims on node:sqlite, against the raw prepared statement, in memory and on a file. */
export async function section(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'rowlock-bench-'))
  const places: Place[] = [
    { name: 'memory', path: ':memory:', synchronous: 'normal', count: 20_000 },
    { name: 'file, NORMAL', path: join(folder, 'normal.db'), synchronous: 'normal', count: 6_000 },
    { name: 'file, FULL', path: join(folder, 'full.db'), synchronous: 'full', count: 1_000 },
  ]
  const tables = []
  const aims = []
  for (const place of places) {
    const figures = await onPlace(place)
    tables.push(figureTable(`SQLite, ${place.name}, one caller`, figures.single))
    tables.push(
      figureTable(`SQLite, ${place.name}, many callers (grouped), and many keys in one call`, figures.many),
    )
    if (place.path !== ':memory:') {
      aims.push(
        atMost(
          `a win one by one, ${place.name}: cost against the raw statement`,
          1.3,
          costRatio(figures.single, WIN, RAW_WIN),
        ),
      )
      aims.push(
        atMost(
          `a loss one by one, ${place.name}: cost against raw upsert + select`,
          1.3,
          costRatio(figures.single, LOSS, RAW_LOSS),
        ),
      )
    }
    if (place.synchronous === 'full') {
      aims.push(
        atLeast(
          '1,000 callers, file FULL: wins per second',
          60_000,
          perSecond(figures.many, callersWin(1000)),
          '/s',
        ),
      )
    }
    if (place.path === ':memory:') {
      aims.push(
        atLeast('cached loss: answers per second', 1_000_000, perSecond(figures.single, CACHED_LOSS), '/s'),
      )
    }
  }
  rmSync(folder, { recursive: true, force: true })
  return {
    title: 'Claims on SQLite (node:sqlite)',
    note: 'FULL: every acknowledged win is on the disk (WAL, synchronous = FULL). Redis SET NX, which is not durable, did 72,900 wins/s at 32 callers on a machine of this class.',
    tables,
    aims,
  }
}

const RAW_WIN = 'raw prepared upsert, winning'
const WIN = 'acquire, winning'
const RAW_LOSS = 'raw upsert + select, losing'
const LOSS = 'acquire, losing'
const CACHED_LOSS = 'acquire, losing, near cache'
const callersWin = (count: number) => `${count} callers, acquire, winning`

async function onPlace(place: Place): Promise<{ single: Figure[]; many: Figure[] }> {
  const database = open(place)
  database.exec(RAW_TABLE)
  const driver = sqlite(database)
  const claims = createClaims(driver)
  await claims.install()
  const together = createClaims(grouped(driver))
  const cached = createClaims(driver, { near: memoryCache(), nearFor: 'window' })
  const single = await compare([rawWin(database), win(claims), rawLoss(database), await loss(claims)], {
    count: place.count,
    rounds: 5,
  })
  if (place.path === ':memory:') {
    single.push(...(await compare([await cachedLoss(cached)], { count: 200_000, rounds: 5 })))
  }
  const many = await compare(
    [1, 100, 1000].map((atOnce) => manyCallers(together, atOnce)).concat(manyKeys(claims)),
    { count: place.count * 10, rounds: 3 },
  )
  database.close()
  return { single, many }
}

function open({ path, synchronous }: Place): DatabaseSync {
  const database = new DatabaseSync(path)
  if (path !== ':memory:') database.exec(`pragma journal_mode = wal; pragma synchronous = ${synchronous}`)
  return database
}

let round = 0
const fresh = () => {
  round += 1
  return round
}

function rawWin(database: DatabaseSync): Way {
  const upsert = database.prepare(RAW_UPSERT)
  return {
    name: RAW_WIN,
    run(count) {
      const prefix = fresh()
      for (let n = 0; n < count; n += 1) {
        const now = Date.now()
        const rows = upsert.all(
          `raw-${prefix}-${n}`,
          BigInt(now),
          BigInt(now + TTL_MS),
          BigInt(now),
          `holder-${n}`,
        )
        if (rows.length !== 1) throw new Error('the raw statement did not win')
      }
    },
  }
}

function win(claims: Claims): Way {
  return {
    name: WIN,
    async run(count) {
      const prefix = fresh()
      for (let n = 0; n < count; n += 1) {
        const claim = await claims.acquire(`key-${prefix}-${n}`, { ttl: TTL_MS })
        if (!claim.won) throw new Error('the claim did not win')
      }
    },
  }
}

function rawLoss(database: DatabaseSync): Way {
  const upsert = database.prepare(RAW_UPSERT)
  const look = database.prepare(RAW_LOOK)
  return {
    name: RAW_LOSS,
    run(count) {
      for (let n = 0; n < count; n += 1) {
        const now = Date.now()
        const rows = upsert.all(
          'raw-held',
          BigInt(now),
          BigInt(now + TTL_MS * 60),
          BigInt(now),
          `holder-${n}`,
        )
        if (rows.length === 0) look.all('raw-held')
      }
    },
  }
}

async function loss(claims: Claims): Promise<Way> {
  await claims.acquire('held', { ttl: TTL_MS * 60 })
  return losing(LOSS, claims)
}

async function cachedLoss(claims: Claims): Promise<Way> {
  await claims.acquire('held', { ttl: TTL_MS * 60 })
  return losing(CACHED_LOSS, claims)
}

function losing(name: string, claims: Claims): Way {
  return {
    name,
    async run(count) {
      for (let n = 0; n < count; n += 1) {
        if ((await claims.acquire('held', { ttl: TTL_MS * 60 })).won) throw new Error('a held key was won')
      }
    },
  }
}

function manyCallers(claims: Claims, atOnce: number): Way {
  return {
    name: callersWin(atOnce),
    async run(count) {
      const prefix = fresh()
      // One caller pays for a commit each time: a hundredth of the work says as much.
      const operations = atOnce === 1 ? Math.ceil(count / 100) : count
      await callers(operations, atOnce, async (n) => {
        if (!(await claims.acquire(`key-${prefix}-${n}`, { ttl: TTL_MS })).won)
          throw new Error('a claim did not win')
      })
      return operations
    },
  }
}

function manyKeys(claims: Claims): Way {
  return {
    name: 'acquireMany of 1,000 keys, winning',
    async run(count) {
      const prefix = fresh()
      for (let first = 0; first < count; first += 1000) {
        const keys = Array.from(
          { length: Math.min(1000, count - first) },
          (_, n) => `key-${prefix}-${first + n}`,
        )
        const outcomes = await claims.acquireMany(keys, { ttl: TTL_MS })
        if (!outcomes.every((outcome) => outcome.won)) throw new Error('a claim of many did not win')
      }
    },
  }
}

function perSecond(figures: readonly Figure[], name: string): number {
  return figures.find((figure) => figure.name === name)?.perSecond.median ?? Number.NaN
}
