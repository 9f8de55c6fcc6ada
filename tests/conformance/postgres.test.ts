import { after, test } from 'node:test'
import { conformance } from '@rowlock/core/testing'
import { testPostgres } from '../engines/postgres.ts'
import { postgresEngine } from './postgres-engine.ts'

const server = await testPostgres()
const plain = await postgresEngine(server)
const pipelined = await postgresEngine(server, 'PostgreSQL, pg with pipeline and prepare', {
  pipeline: true,
  prepare: true,
})

after(async () => {
  await plain.drop()
  await pipelined.drop()
  await server.stop()
})

conformance(plain.engine, { test })
conformance(pipelined.engine, { test })
