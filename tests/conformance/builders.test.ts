import { after, test } from 'node:test'
import { conformance } from '@rowlock/core/testing'
import { testPostgres } from '../engines/postgres.ts'
import {
  drizzleOnFile,
  drizzleOnLibsql,
  drizzleOnPg,
  drizzleOnPostgresJs,
  kyselyOnFile,
  kyselyOnServer,
} from './builders.ts'
import { engineOver as serverEngine } from './postgres-engine.ts'
import { engineOver as fileEngine } from './sqlite-engines.ts'

conformance(fileEngine('Kysely, better-sqlite3', kyselyOnFile), { test })
conformance(fileEngine('Drizzle, better-sqlite3', drizzleOnFile), { test })
conformance(fileEngine('Drizzle, libSQL', drizzleOnLibsql), { test })

const server = await testPostgres()
const onServer = await Promise.all([
  serverEngine(server, 'Kysely, PostgreSQL', kyselyOnServer),
  serverEngine(server, 'Drizzle, pg', drizzleOnPg),
  serverEngine(server, 'Drizzle, postgres.js', drizzleOnPostgresJs),
])
after(async () => {
  for (const { drop } of onServer) await drop()
  await server.stop()
})
for (const { engine } of onServer) conformance(engine, { test })
