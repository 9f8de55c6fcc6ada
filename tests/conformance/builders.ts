import { drizzle } from '@rowlock/core/drizzle'
import { kysely } from '@rowlock/core/kysely'
import Sqlite from 'better-sqlite3'
import { drizzle as overSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as overPg } from 'drizzle-orm/node-postgres'
import { drizzle as overPostgresJs } from 'drizzle-orm/postgres-js'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import postgresJs from 'postgres'
import { type Connected as OnServer, openPool, type Place } from './postgres-engine.ts'
import type { Connected as OnFile } from './sqlite-engines.ts'

/** How an application that uses Kysely or Drizzle would open its database, on each of their clients. */

const INT8 = 20

/** int8 as numbers: through Kysely nobody else could tell them from text. */
export const numbers: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === INT8 ? (text: string) => Number(text) : pg.types.getTypeParser(type, format),
}

export function kyselyOnServer(place: Place, options: pg.PoolConfig = { types: numbers }): OnServer {
  const pool = openPool(place, options)
  pool.on('error', () => {}) // A test may end its sessions.
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  return { driver: kysely(db), end: () => db.destroy() }
}

export function drizzleOnPg(place: Place): OnServer {
  const pool = openPool(place)
  return { driver: drizzle(overPg(pool)), end: () => pool.end() }
}

export function drizzleOnPostgresJs({ url, schema, applicationName }: Place): OnServer {
  const connection = { search_path: schema, application_name: applicationName }
  const client = postgresJs(url, { connection, max: 8, onnotice: () => {} })
  return { driver: drizzle(overPostgresJs(client)), end: () => client.end() }
}

export function kyselyOnFile(path: string): OnFile {
  const db = new Kysely({ dialect: new SqliteDialect({ database: openSqlite(path) }) })
  return { driver: kysely(db, { dialect: 'sqlite' }), close: () => db.destroy() }
}

export function drizzleOnFile(path: string): OnFile {
  const database = openSqlite(path)
  return { driver: drizzle(overSqlite(database)), close: () => database.close() }
}

/**
 * Without the client's own waiting: it blocks the process, and with it the other connection's transaction that is waited
 * for. The driver waits and tries again.
 */
function openSqlite(path: string): Sqlite.Database {
  const database = new Sqlite(path, { timeout: 0 })
  database.pragma('journal_mode = wal')
  database.pragma('synchronous = normal')
  return database
}
