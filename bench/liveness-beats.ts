import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { grouped } from '@rowlock/core'
import { createLiveness, type Liveness } from '@rowlock/core/liveness'
import { postgres } from '@rowlock/core/postgres'
import { sqlite } from '@rowlock/core/sqlite'
import pg from 'pg'
import { freshDatabase, testPostgres } from '../tests/engines/postgres.ts'
import { callers, compare, costRatio, type Figure, type Way } from './measure.ts'
import { atLeast, figureTable, type Section } from './report.ts'

const SUBJECTS = 1_000
const DOWN_AFTER = 300_000

/** What a careful hand would write: the last sign of life never moves back, and the deadline follows it. */
const RAW_SQLITE = `update raw_subjects set beats = beats + 1, last_seen = max(coalesce(last_seen, ?1), ?1),
  deadline = max(coalesce(last_seen, ?1), ?1) + down_after_ms where id = ?2 and state = 'up' returning id`
const RAW_POSTGRES = `update raw_subjects set beats = beats + 1, last_seen = greatest(coalesce(last_seen, c.at), c.at),
  deadline = greatest(coalesce(last_seen, c.at), c.at) + down_after_ms
from (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as at) c
where id = $1 and state = 'up' returning id`
const RAW_TABLE = (
  integer: string,
) => `create table raw_subjects (id text primary key not null, state text not null,
  last_seen ${integer}, beats ${integer} not null, deadline ${integer}, down_after_ms ${integer} not null)`
const RAW_INDEX = `create index raw_due on raw_subjects (deadline, id) where state = 'up' and deadline is not null`

/** Beats one by one and together, on a durable SQLite file and a durable PostgreSQL server, against the raw statement. */
export async function section(): Promise<Section> {
  const file = await onFile()
  const server = await onServer()
  return {
    title: 'Liveness: beats',
    note: `${SUBJECTS.toLocaleString('en')} subjects that are up. The raw statement is prepared, on a table with the columns and the index that it needs. On the file every acknowledged beat is on the disk (WAL, synchronous = FULL).`,
    tables: [
      figureTable('SQLite, file, FULL', file),
      figureTable('PostgreSQL (pg, prepared), 64 callers, 10 connections', server),
    ],
    aims: [
      atLeast('one by one, file FULL: speed against the raw statement', 0.7, speed(file, BEAT, RAW), 'x'),
      atLeast(
        '100 callers in groups, file FULL: speed against the raw statement',
        10,
        speed(file, GROUPED, RAW),
        'x',
      ),
      atLeast('PostgreSQL, 64 callers: speed against the raw statement', 0.7, speed(server, BEAT, RAW), 'x'),
    ],
  }
}

const RAW = 'raw prepared update'
const BEAT = 'beat'
const GROUPED = 'beat, 100 callers, grouped'
const MANY = 'beatMany of 1,000'

const speed = (figures: readonly Figure[], way: string, against: string) =>
  1 / costRatio(figures, way, against)

const ids = Array.from({ length: SUBJECTS }, (_, n) => `subject-${n}`)
const idOf = (n: number) => ids[n % SUBJECTS]!

async function onFile(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rowlock-bench-'))
  const database = new DatabaseSync(join(folder, 'beats.db'))
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec(`${RAW_TABLE('integer')} strict; ${RAW_INDEX}`)
  const insert = database.prepare(`insert into raw_subjects values (?, 'up', null, 0, null, ${DOWN_AFTER})`)
  for (const id of ids) insert.run(id)
  const driver = sqlite(database)
  const liveness = await ready(createLiveness(driver))
  const together = createLiveness(grouped(driver))
  const figures = await compare([rawOnFile(database), one(liveness, 1)], { count: 1_000, rounds: 5 })
  const many = await compare([one(together, 100, GROUPED), all(liveness)], { count: 20_000, rounds: 3 })
  database.close()
  rmSync(folder, { recursive: true, force: true })
  return [...figures, ...many]
}

async function onServer(): Promise<Figure[]> {
  const server = await testPostgres({ durable: true })
  const { url, drop } = await freshDatabase(server)
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  await pool.query(`${RAW_TABLE('bigint')}; ${RAW_INDEX}`)
  await pool.query(
    `insert into raw_subjects select id, 'up', null, 0, null, ${DOWN_AFTER} from unnest($1::text[]) id`,
    [ids],
  )
  const liveness = await ready(createLiveness(postgres(pool, { prepare: true })))
  const figures = await compare([rawOnServer(pool), one(liveness, 64)], { count: 5_000, rounds: 5 })
  const many = await compare([all(liveness)], { count: 20_000, rounds: 3 })
  await pool.end()
  await drop()
  await server.stop()
  return [...figures, ...many]
}

async function ready(liveness: Liveness): Promise<Liveness> {
  await liveness.install()
  await liveness.registerMany(ids.map((id) => ({ id, downAfter: DOWN_AFTER })))
  await liveness.beatMany(ids.map((id) => ({ id })))
  return liveness
}

function rawOnFile(database: DatabaseSync): Way {
  const update = database.prepare(RAW_SQLITE)
  return {
    name: RAW,
    run(count) {
      for (let n = 0; n < count; n += 1) {
        if (update.all(BigInt(Date.now()), idOf(n)).length !== 1)
          throw new Error('the raw statement changed nothing')
      }
    },
  }
}

function rawOnServer(pool: pg.Pool): Way {
  return {
    name: RAW,
    run: (count) =>
      callers(count, 64, async (n) => {
        const { rows } = await pool.query({ name: 'raw-beat', text: RAW_POSTGRES, values: [idOf(n)] })
        if (rows.length !== 1) throw new Error('the raw statement changed nothing')
      }),
  }
}

function one(liveness: Liveness, atOnce: number, name = BEAT): Way {
  return {
    name,
    run: (count) =>
      callers(count, atOnce, async (n) => {
        if (!(await liveness.beat(idOf(n))).ok) throw new Error('a beat was not counted')
      }),
  }
}

function all(liveness: Liveness): Way {
  return {
    name: MANY,
    async run(count) {
      for (let n = 0; n < count; n += SUBJECTS) {
        const outcome = await liveness.beatMany(ids.map((id) => ({ id })))
        if (!outcome.ok || outcome.counted.length !== SUBJECTS) throw new Error('a beat was not counted')
      }
    },
  }
}
