import type { Driver } from '@rowlock/core'
import { postgres } from '@rowlock/core/postgres'
import type { Engine } from '@rowlock/core/testing'
import pg from 'pg'
import { freshDatabase, type TestPostgres } from '../engines/postgres.ts'

/** What the pool is opened with, beside the connection. */
interface PoolOptions {
  readonly prepare?: boolean
  readonly pipeline?: boolean
}

/** An engine on PostgreSQL. Each test has a schema of its own in one database. */
export interface PostgresEngine {
  readonly engine: Engine
  /** Removes the database. */
  drop(): Promise<void>
}

/** Where a test connects to, and how it names its sessions. */
export interface Place {
  readonly url: string
  readonly schema: string
  readonly applicationName: string
}

/** A driver, and how to end the connections below it. */
export interface Connected {
  readonly driver: Driver
  end(): Promise<unknown>
}

/** An engine over pg. */
export function postgresEngine(
  server: TestPostgres,
  name = 'PostgreSQL, pg',
  { prepare = false, ...options }: PoolOptions = {},
): Promise<PostgresEngine> {
  return engineOver(server, name, (place) => {
    const pool = openPool(place, options)
    return { driver: postgres(pool, { prepare }), end: () => pool.end() }
  })
}

/** A pool whose sessions see the place's schema only. */
export function openPool({ url, schema, applicationName }: Place, options: pg.PoolConfig = {}): pg.Pool {
  return new pg.Pool({
    connectionString: url,
    options: `-c search_path=${schema}`,
    application_name: applicationName,
    max: 8,
    ...options,
  })
}

/** An engine over whatever client `connect` brings. */
export async function engineOver(
  server: TestPostgres,
  name: string,
  connect: (place: Place) => Connected,
): Promise<PostgresEngine> {
  const database = await freshDatabase(server)
  const admin = new pg.Pool({ connectionString: database.url, max: 1 })
  let made = 0

  const engine: Engine = {
    name,
    async open() {
      const schema = `case_${++made}`
      await admin.query(`create schema ${schema}`)
      const open: Connected[] = []
      const another = () => {
        const connected = connect({
          url: database.url,
          schema,
          applicationName: `${schema}_${open.length + 1}`,
        })
        open.push(connected)
        return connected.driver
      }
      return {
        driver: another(),
        peer: async () => another(),
        crash: () => terminate(admin, `${schema}_1`),
        async dispose() {
          await Promise.all(open.map((connected) => connected.end()))
          await admin.query(`drop schema ${schema} cascade`)
        },
      }
    },
  }
  return {
    engine,
    async drop() {
      await admin.end()
      await database.drop()
    },
  }
}

/** Ends every session of one pool, as if its process had been killed. */
async function terminate(admin: pg.Pool, applicationName: string): Promise<void> {
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
    applicationName,
  ])
}
