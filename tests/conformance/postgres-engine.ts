import { postgres } from '@rowlock/core/postgres'
import type { Engine } from '@rowlock/core/testing'
import pg from 'pg'
import { freshDatabase, type TestPostgres } from '../engines/postgres.ts'

/** What the pool is opened with, beside the connection. */
interface PoolOptions {
  readonly prepare?: boolean
  readonly pipeline?: boolean
}

/** An engine over pg. Each test has a schema of its own in one database. */
export interface PostgresEngine {
  readonly engine: Engine
  /** Removes the database. */
  drop(): Promise<void>
}

export async function postgresEngine(
  server: TestPostgres,
  name = 'PostgreSQL, pg',
  { prepare = false, pipeline = false }: PoolOptions = {},
): Promise<PostgresEngine> {
  const database = await freshDatabase(server)
  const admin = new pg.Pool({ connectionString: database.url, max: 1 })
  let made = 0

  const engine: Engine = {
    name,
    async open() {
      const schema = `case_${++made}`
      await admin.query(`create schema ${schema}`)
      const pools: pg.Pool[] = []
      const connect = () => {
        const pool = openPool(database.url, schema, pipeline)
        pools.push(pool)
        return postgres(pool, { prepare })
      }
      return {
        driver: connect(),
        peer: async () => connect(),
        crash: () => terminate(admin, `${schema}_1`),
        async dispose() {
          await Promise.all(pools.map((pool) => pool.end()))
          await admin.query(`drop schema ${schema} cascade`)
        },
      }

      function openPool(url: string, path: string, pipelining: boolean): pg.Pool {
        return new pg.Pool({
          connectionString: url,
          options: `-c search_path=${path}`,
          application_name: `${path}_${pools.length + 1}`,
          max: 8,
          ...(pipelining && { pipeline: true }),
        })
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
