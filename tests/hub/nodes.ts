import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { readConfig } from '../../packages/rowlock/src/config/index.ts'
import { openDatabase } from '../../packages/rowlock/src/database.ts'
import type { Send } from '../../packages/rowlock/src/deliveries/send.ts'
import { createApp } from '../../packages/rowlock/src/http/app.ts'
import { createHub, type Hub } from '../../packages/rowlock/src/hub.ts'
import { freshDatabase, type TestPostgres } from '../engines/postgres.ts'
import { type Client, clientOf } from './client.ts'

export interface Node {
  readonly hub: Hub
  readonly client: Client
}

export interface NodesOptions {
  readonly count: number
  /** Theirs; without it the database's is. */
  readonly clock?: () => number
  /** Default: every delivery is taken. */
  readonly send?: Send
}

/** Hubs on one new database, as several nodes are. */
export async function nodes(
  context: TestContext,
  server: TestPostgres,
  { count, clock, send = async () => ({ status: 200, retryAfter: null }) }: NodesOptions,
): Promise<Node[]> {
  const { url, drop } = await freshDatabase(server)
  const { config } = readConfig({ flags: { db: url } })
  const databases = await Promise.all(Array.from({ length: count }, () => openDatabase(url)))
  context.after(async () => {
    await Promise.all(databases.map((database) => database.close()))
    await drop()
  })
  const hubs = databases.map(({ driver }) => createHub({ driver, config, clock, send, later: setImmediate }))
  // All start at once: one makes the tables, the first project and the token.
  const installed = await Promise.all(hubs.map((hub) => hub.install()))
  const tokens = installed.flatMap(({ firstToken }) => (firstToken === undefined ? [] : [firstToken.secret]))
  assert.equal(tokens.length, 1)
  const adminToken = String(tokens[0])
  return await Promise.all(
    hubs.map(async (hub) => {
      const app = createApp({ hub, driver: hub.ground.driver, config })
      return {
        hub,
        client: await clientOf({ adminToken, fetch: async (path, init) => await app.request(path, init) }),
      }
    }),
  )
}
