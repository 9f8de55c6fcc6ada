import { after, test } from 'node:test'
import { conformance, memory } from '@rowlock/core/testing'
import { claimsRaces } from '../../packages/core/src/testing/suites/claims.ts'
import { postgresEngine } from '../conformance/postgres-engine.ts'
import { testPostgres } from '../engines/postgres.ts'

const server = await testPostgres()
const { engine, drop } = await postgresEngine(server)
after(async () => {
  await drop()
  await server.stop()
})

for (const each of [memory(), engine]) conformance(each, { test, suites: [claimsRaces] })
