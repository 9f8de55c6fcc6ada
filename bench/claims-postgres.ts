import { type Claims, createClaims } from '@rowlock/core/claims'
import { postgres } from '@rowlock/core/postgres'
import pg from 'pg'
import { freshDatabase, testPostgres } from '../tests/engines/postgres.ts'
import { callers, compare, costRatio, type Way } from './measure.ts'
import { atMost, figureTable, type Section } from './report.ts'

const TTL_MS = 60_000
const CONNECTIONS = 10
const CALLERS = 64

const RAW_UPSERT = `insert into raw_claims (key, claimed_at, expires_at, token, holder)
select $1, c.at, c.at + $2::bigint, c.at, $3
from (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as at) c
on conflict (key) do update set claimed_at = excluded.claimed_at, expires_at = excluded.expires_at,
  token = greatest(coalesce(raw_claims.token, 0) + 1, excluded.token), holder = excluded.holder
where raw_claims.claimed_at is null or coalesce(raw_claims.expires_at, 0) < excluded.claimed_at
returning key, token, expires_at`
const RAW_LOOK = 'select token, holder, expires_at from raw_claims where key = $1'

/** Claims on a durable PostgreSQL server through pg, against the raw statement through the same pool. */
export async function section(): Promise<Section> {
  const server = await testPostgres({ durable: true })
  const { url, drop } = await freshDatabase(server)
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS })
  await pool.query(
    'create table raw_claims (key text primary key, claimed_at bigint, expires_at bigint, token bigint, holder text)',
  )
  const claims = createClaims(postgres(pool))
  const prepared = createClaims(postgres(pool, { prepare: true }))
  await claims.install()
  await claims.acquire('held', { ttl: TTL_MS * 60 })
  await pool.query(RAW_UPSERT, ['held', TTL_MS * 60, 'holder'])
  const single = await compare(
    [rawWin(pool, 1), win(claims, 1), win(prepared, 1, ' (prepared)'), rawLoss(pool, 1), loss(claims, 1)],
    {
      count: 600,
      rounds: 5,
    },
  )
  const many = await compare(
    [
      rawWin(pool, CALLERS),
      win(claims, CALLERS),
      win(prepared, CALLERS, ' (prepared)'),
      rawLoss(pool, CALLERS),
      loss(claims, CALLERS),
      manyKeys(claims),
    ],
    { count: 4_000, rounds: 3 },
  )
  await pool.end()
  await drop()
  await server.stop()
  return {
    title: 'Claims on PostgreSQL (pg)',
    note: `PostgreSQL 18 from npm on the same machine, fsync on, ${CONNECTIONS} connections. By default a statement goes unnamed and is parsed each time, so that any pooler will do; postgres(pool, { prepare: true }) names it.`,
    tables: [
      figureTable('one caller', single),
      figureTable(`${CALLERS} callers, and many keys in one call`, many),
    ],
    aims: [
      atMost(
        'a win, one caller, prepared: cost against the raw statement',
        1.3,
        costRatio(single, name('acquire (prepared), winning', 1), name('raw upsert, winning', 1)),
      ),
      atMost(
        'a loss, 64 callers: cost against raw upsert + select',
        1.3,
        costRatio(many, name('acquire, losing', CALLERS), name('raw upsert + select, losing', CALLERS)),
      ),
    ],
  }
}

const name = (what: string, atOnce: number) => `${what}, ${atOnce} at once`

let round = 0
const fresh = () => {
  round += 1
  return round
}

function rawWin(pool: pg.Pool, atOnce: number): Way {
  return {
    name: name('raw upsert, winning', atOnce),
    run(count) {
      const prefix = fresh()
      return callers(count, atOnce, async (n) => {
        const { rows } = await pool.query(RAW_UPSERT, [`raw-${prefix}-${n}`, TTL_MS, `holder-${n}`])
        if (rows.length !== 1) throw new Error('the raw statement did not win')
      })
    },
  }
}

function win(claims: Claims, atOnce: number, how = ''): Way {
  return {
    name: name(`acquire${how}, winning`, atOnce),
    run(count) {
      const prefix = fresh()
      return callers(count, atOnce, async (n) => {
        if (!(await claims.acquire(`key-${prefix}-${n}`, { ttl: TTL_MS })).won)
          throw new Error('a claim did not win')
      })
    },
  }
}

function rawLoss(pool: pg.Pool, atOnce: number): Way {
  return {
    name: name('raw upsert + select, losing', atOnce),
    run: (count) =>
      callers(count, atOnce, async (n) => {
        const { rows } = await pool.query(RAW_UPSERT, ['held', TTL_MS * 60, `holder-${n}`])
        if (rows.length === 0) await pool.query(RAW_LOOK, ['held'])
      }),
  }
}

function loss(claims: Claims, atOnce: number): Way {
  return {
    name: name('acquire, losing', atOnce),
    run: (count) =>
      callers(count, atOnce, async () => {
        if ((await claims.acquire('held', { ttl: TTL_MS * 60 })).won) throw new Error('a held key was won')
      }),
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
