import { createLiveness, type Liveness } from '@rowlock/core/liveness'
import { postgres } from '@rowlock/core/postgres'
import pg from 'pg'
import { freshDatabase, testPostgres } from '../tests/engines/postgres.ts'
import { compare, costRatio, type Figure, type Way } from './measure.ts'
import { atLeast, atMost, figureTable, type Section } from './report.ts'

const SMALL = 10_000
const LARGE = 1_000_000
const DUE = 1_000
const DAY = 86_400_000

/** Checks on a durable PostgreSQL server, against the loop that loads all, and of a large fleet against a small one. */
export async function section(): Promise<Section> {
  const server = await testPostgres({ durable: true })
  const { url, drop } = await freshDatabase(server)
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  const [small, large] = [await fleet(pool, 'small_', SMALL), await fleet(pool, 'large_', LARGE)]
  await handMade(pool)
  const quiet = await compare([nothing(small), nothing(large)], { count: 200, rounds: 5 })
  const silent = await compare([loop(pool, true), loop(pool, false), check(pool, large)], {
    count: 1,
    rounds: 3,
  })
  await pool.end()
  await drop()
  await server.stop()
  return {
    title: 'Liveness: checks on PostgreSQL (pg)',
    note: `PostgreSQL 18 from npm on the same machine, fsync on. The loop reads all subjects, judges them in JavaScript, and for each that is silent locks its row (SELECT ... FOR UPDATE), tests it again, inserts the outage and sets the state: in a transaction of its own, and, in a second way, all in one. Checks include the repairs of every tenth.`,
    tables: [
      figureTable(
        `checks a second, ${DUE.toLocaleString('en')} due of ${LARGE.toLocaleString('en')}`,
        silent,
      ),
      figureTable('checks a second, nothing due', quiet),
    ],
    aims: aims(silent, quiet),
  }
}

function aims(silent: readonly Figure[], quiet: readonly Figure[]) {
  return [
    atLeast(
      `${DUE.toLocaleString('en')} due of ${LARGE.toLocaleString('en')}: speed against the loop`,
      50,
      1 / costRatio(silent, CHECK, LOOP),
      'x',
    ),
    atMost(
      'nothing due: cost at 1,000,000 subjects against 10,000',
      1.1,
      costRatio(quiet, nothingDue(LARGE), nothingDue(SMALL)),
    ),
  ]
}

const LOOP = 'load all, classify, lock and insert row by row'
const LOOP_AT_ONCE = `${LOOP}, in one transaction`
const CHECK = 'check'
const nothingDue = (size: number) => `check, ${size.toLocaleString('en')} subjects`

interface Fleet {
  readonly liveness: Liveness
  readonly prefix: string
  readonly size: number
}

/** Subjects that were all seen just now, and are expected again in a day. */
async function fleet(pool: pg.Pool, prefix: string, size: number): Promise<Fleet> {
  const liveness = createLiveness(postgres(pool, { prepare: true }), {
    prefix,
    downAfter: '1d',
    // A bench checks as fast as it can, and is neither asleep between rounds nor held back by a mass outage.
    every: '1h',
    announceTo: ['operators'],
  })
  await liveness.install()
  await pool.query(
    `insert into ${prefix}subjects (scope, id, state, state_since, last_seen, beats, armed_at, late_after_ms, down_after_ms, deadline, created_at, created_run)
     select '', 'subject-' || lpad(n::text, 8, '0'), 'up', $1, $1, 1, $1, $2, $2, $1::bigint + $2::bigint, $1, 'bench'
     from generate_series(1, $3::int) n`,
    [Date.now(), DAY, size],
  )
  await pool.query(`vacuum analyze ${prefix}subjects`)
  await liveness.check()
  return { liveness, prefix, size }
}

/** What a careful hand would have: the two tables and the unique index. */
async function handMade(pool: pg.Pool): Promise<void> {
  await pool.query(`create table devices as select id, state, last_seen from large_subjects`)
  await pool.query(`alter table devices add primary key (id)`)
  await pool.query(`create table outages (id bigint generated always as identity primary key, device_id text not null,
    started_at bigint not null, ended_at bigint)`)
  await pool.query(`create unique index outages_open on outages (device_id) where ended_at is null`)
  await pool.query(`vacuum analyze devices`)
}

/** The same thousand are silent each time, spread over the fleet. */
const SILENT = `id in (select 'subject-' || lpad((n * ${LARGE / DUE})::text, 8, '0') from generate_series(1, ${DUE}) n)`
const LONG_AGO = DAY + 3_600_000

/** `each`: a transaction for each subject, as a loop over rows is usually written; otherwise one for all. */
function loop(pool: pg.Pool, each: boolean): Way {
  return {
    name: each ? LOOP : LOOP_AT_ONCE,
    async prepare() {
      await pool.query('truncate outages')
      await pool.query(`update devices set state = 'up', last_seen = $1 where ${SILENT}`, [
        Date.now() - LONG_AGO,
      ])
      await pool.query('vacuum analyze devices')
    },
    async run() {
      const client = await pool.connect()
      const { rows } = await client.query('select id, state, last_seen from devices')
      const line = Date.now() - DAY
      const stale = rows.filter((row) => row.state === 'up' && Number(row.last_seen) <= line)
      let opened = 0
      if (!each) await client.query('begin')
      for (const { id } of stale) {
        if (each) await client.query('begin')
        opened += await openOne(client, id, line)
        if (each) await client.query('commit')
      }
      if (!each) await client.query('commit')
      client.release()
      if (opened !== DUE) throw new Error(`the loop opened ${opened}`)
    },
  }
}

async function openOne(client: pg.PoolClient, id: string, line: number): Promise<number> {
  const lock = 'select last_seen from devices where id = $1 for update'
  const insert = `insert into outages (device_id, started_at) values ($1, $2)
    on conflict (device_id) where ended_at is null do nothing returning id`
  const update = `update devices set state = 'down' where id = $1`
  const locked = await client.query({ name: 'lock', text: lock, values: [id] })
  const lastSeen = locked.rows[0].last_seen
  if (Number(lastSeen) > line) return 0
  const inserted = await client.query({ name: 'insert', text: insert, values: [id, lastSeen] })
  await client.query({ name: 'update', text: update, values: [id] })
  return inserted.rows.length
}

function check(pool: pg.Pool, { liveness, prefix }: Fleet): Way {
  return {
    name: CHECK,
    async prepare() {
      await pool.query(`truncate ${prefix}downtimes, ${prefix}outbox`)
      await pool.query(
        `update ${prefix}subjects set state = 'up', last_seen = $1, armed_at = $1, deadline = $2 where ${SILENT}`,
        [Date.now() - LONG_AGO, Date.now() - LONG_AGO + DAY],
      )
      await pool.query(`vacuum analyze ${prefix}subjects`)
    },
    async run() {
      const outcome = await liveness.check()
      if (!outcome.ok || outcome.opened !== DUE || outcome.alertsQueued !== DUE)
        throw new Error(`a check did ${JSON.stringify(outcome)}`)
    },
  }
}

function nothing({ liveness, size }: Fleet): Way {
  return {
    name: nothingDue(size),
    async run(count) {
      for (let n = 0; n < count; n += 1) {
        const outcome = await liveness.check()
        if (!outcome.ok || outcome.opened !== 0 || outcome.repaired !== 0)
          throw new Error(`a check did ${JSON.stringify(outcome)}`)
      }
    },
  }
}
