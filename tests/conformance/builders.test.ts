import { after, test } from 'node:test'
import { conformance, suites } from '@rowlock/core/testing'
import { testPostgres } from '../engines/postgres.ts'
import { drizzleOnFile, drizzleOnPg, drizzleOnPostgresJs, kyselyOnFile, kyselyOnServer } from './builders.ts'
import { engineOver as serverEngine } from './postgres-engine.ts'
import { engineOver as fileEngine } from './sqlite-engines.ts'

// Over a client that Rowlock knows, Drizzle is asked for the client only: the rest is shown without it.
const driverAlone = suites.filter(({ name }) => name === 'driver')

conformance(fileEngine('Kysely, better-sqlite3', kyselyOnFile), { test })
conformance(fileEngine('Drizzle, better-sqlite3', drizzleOnFile), { test, suites: driverAlone })

const server = await testPostgres()
const onServer = await Promise.all([
  serverEngine(server, 'Kysely, PostgreSQL', kyselyOnServer),
  serverEngine(server, 'Drizzle, postgres.js', drizzleOnPostgresJs),
  serverEngine(server, 'Drizzle, pg', drizzleOnPg),
])
after(async () => {
  for (const { drop } of onServer) await drop()
  await server.stop()
})
const [overKysely, overPostgresJs, overPg] = onServer.map(({ engine }) => engine)
for (const engine of [overKysely!, overPostgresJs!]) conformance(engine, { test })
conformance(overPg!, { test, suites: driverAlone })
