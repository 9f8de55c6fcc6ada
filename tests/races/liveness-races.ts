import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { postgres } from '@rowlock/core/postgres'
import { sqlite } from '@rowlock/core/sqlite'
import pg from 'pg'
import { nodeSqlite, openFile, temporaryFile } from '../conformance/sqlite-engines.ts'
import { freshDatabase, testPostgres } from '../engines/postgres.ts'
import { testWorker } from '../engines/workerd.ts'
import { raceChecks, racer, type Told, type Turn } from './liveness-rounds.ts'

/** Two processes on one SQLite file. */
export async function raceChecksInProcesses(rounds: number): Promise<void> {
  const file = temporaryFile()
  const database = openFile(nodeSqlite, file.path)
  const program = fileURLToPath(new URL('liveness-process.ts', import.meta.url))
  const children = [0, 1].map(() => fork(program, [file.path]))
  await Promise.all(children.map((child) => answerOf(child)))
  const both = async (turn: Turn) => {
    const answers = children.map((child) => answerOf<Told>(child))
    for (const child of children) child.send(turn)
    return await Promise.all(answers)
  }
  await raceChecks(sqlite(database), both, rounds)
  const gone = children.map((child) => once(child, 'exit'))
  for (const child of children) child.disconnect()
  await Promise.all(gone)
  database.close()
  file.remove()
}

async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a racing process ended with ${code}`)
  })
  ended.catch(() => {})
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [Answer]
  return answer
}

/** Two connections to one PostgreSQL. */
export async function raceChecksOnPostgres(rounds: number): Promise<void> {
  const server = await testPostgres()
  const database = await freshDatabase(server)
  const pools = [0, 1].map(() => new pg.Pool({ connectionString: database.url, max: 2 }))
  const racers = pools.map((pool) => racer(postgres(pool)))
  await raceChecks(postgres(pools[0]!), (turn) => Promise.all(racers.map((run) => run(turn))), rounds)
  await Promise.all(pools.map((pool) => pool.end()))
  await database.drop()
  await server.stop()
}

/** Two checks at once inside Cloudflare's runtime. */
export async function raceChecksOnD1(rounds: number): Promise<void> {
  const entry = fileURLToPath(new URL('d1.worker.ts', import.meta.url))
  const worker = await testWorker(entry, { nodejsCompat: true })
  const response = await worker.fetch(`/checks/${rounds}`)
  assert.equal(await response.text(), 'ok')
  await worker.dispose()
}
