import { DatabaseSync } from 'node:sqlite'
import type { Driver } from '@rowlock/core'
import { d1 } from '@rowlock/core/d1'
import { postgres } from '@rowlock/core/postgres'
import { sqlite } from '@rowlock/core/sqlite'
import pg from 'pg'
import { freshDatabase, testPostgres } from '../../tests/engines/postgres.ts'
import { testD1 } from '../../tests/engines/workerd.ts'

export interface StoryEngine {
  readonly name: string
  readonly driver: Driver
  close(): Promise<void>
}

/** The three engines, for real: SQLite in this process, D1 in Cloudflare's own runtime, a PostgreSQL server. */
export async function openEngines(): Promise<StoryEngine[]> {
  return Promise.all([openSqlite(), openD1(), openPostgres()])
}

async function openSqlite(): Promise<StoryEngine> {
  const database = new DatabaseSync(':memory:')
  return { name: 'SQLite', driver: sqlite(database), close: async () => database.close() }
}

async function openD1(): Promise<StoryEngine> {
  const worker = await testD1()
  return { name: 'D1', driver: d1(await worker.database()), close: () => worker.dispose() }
}

async function openPostgres(): Promise<StoryEngine> {
  const server = await testPostgres()
  const { url, drop } = await freshDatabase(server)
  const pool = new pg.Pool({ connectionString: url, max: 8 })
  return {
    name: 'PostgreSQL',
    driver: postgres(pool),
    close: async () => {
      await pool.end()
      await drop()
      await server.stop()
    },
  }
}
