import { postgres } from '@rowlock/core/postgres'
import pg from 'pg'
import { freshDatabase, testPostgres } from '../engines/postgres.ts'
import { RACERS, type Round, race, raceThrough } from './rounds.ts'

/** 64 racers on 64 connections, in a database of their own. */
export async function racePostgres(options: { by: Round['by']; keys?: readonly string[] }): Promise<void> {
  const server = await testPostgres()
  const database = await freshDatabase(server)
  const pool = new pg.Pool({ connectionString: database.url, max: RACERS })
  const driver = postgres(pool)
  await raceThrough(driver, (round) => race([driver], round), {
    by: options.by,
    ...(options.keys && { keys: [...options.keys] }),
  })
  await pool.end()
  await database.drop()
  await server.stop()
}
