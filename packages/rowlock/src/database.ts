import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Driver } from '@rowlock/core'
import { sqlite } from '@rowlock/core/sqlite'

export interface Database {
  readonly driver: Driver
  /** Where the data is: a file's path, `:memory:`, or a PostgreSQL address. Holds the password if there is one. */
  readonly location: string
  readonly kind: 'sqlite' | 'postgres'
  close(): Promise<void>
}

/** Connections of one hub or one command to PostgreSQL. */
const POOL_SIZE = 10

/**
 * Opens a SQLite file (made where it is missing, with its folder) or a PostgreSQL database. A file
 * runs in WAL mode with synchronous FULL: what was acknowledged survives a power cut.
 */
export async function openDatabase(db: string): Promise<Database> {
  return /^postgres(ql)?:\/\//i.test(db) ? openPostgres(db) : openSqlite(db)
}

function openSqlite(path: string): Database {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(path)
  // While it is being opened another starter may be in the way; later the driver waits without blocking.
  database.exec('pragma busy_timeout = 5000')
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  database.exec('pragma cache_size = -8000')
  // 16 MB: pages that many commits change are copied back once, and fewer than one commit in a hundred waits for that.
  database.exec('pragma wal_autocheckpoint = 4000')
  return {
    driver: sqlite(database),
    location: path,
    kind: 'sqlite',
    async close() {
      database.close()
    },
  }
}

/** Loaded when needed only: a hub on a file has no use for it. */
async function openPostgres(address: string): Promise<Database> {
  const [{ postgres }, { default: pg }] = await Promise.all([import('@rowlock/core/postgres'), import('pg')])
  const pool = new pg.Pool({ connectionString: address, max: POOL_SIZE, connectionTimeoutMillis: 10_000 })
  // An idle connection that breaks is replaced at the next use; unheard, the event ends the process.
  pool.on('error', () => {})
  return {
    driver: postgres(pool),
    location: address,
    kind: 'postgres',
    async close() {
      await pool.end()
    },
  }
}
