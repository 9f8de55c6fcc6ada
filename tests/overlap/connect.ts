import type { OverlapClient } from '@rowlock/core/testing'
import pg from 'pg'
import { freshDatabase, testPostgres } from '../engines/postgres.ts'

/** A database of its own, and how to connect to it. */
export interface OverlapDatabase {
  connect(): Promise<OverlapClient>
  drop(): Promise<void>
}

export async function overlapDatabase(): Promise<OverlapDatabase> {
  const server = await testPostgres()
  const database = await freshDatabase(server)
  return {
    async connect() {
      const client = new pg.Client({
        connectionString: database.url,
        // A deadlock is noticed after this; the server's own second would be waited for in many orders.
        options: '-c deadlock_timeout=20ms',
      })
      await client.connect()
      return client
    },
    async drop() {
      await database.drop()
      await server.stop()
    },
  }
}
