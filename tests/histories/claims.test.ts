import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Driver } from '@rowlock/core'
import { createClaims } from '@rowlock/core/claims'
import { postgres } from '@rowlock/core/postgres'
import { sqlite } from '@rowlock/core/sqlite'
import { type ClaimCall, checkClaimHistory } from '@rowlock/core/testing'
import pg from 'pg'
import { nodeSqlite, openFile, temporaryFile } from '../conformance/sqlite-engines.ts'
import { freshDatabase, testPostgres } from '../engines/postgres.ts'

/** Processes that claim, renew, free and write under claims, their windows running out meanwhile. */

const PROGRAM = fileURLToPath(new URL('process.ts', import.meta.url))
const SEEDS = [11, 12, 13, 14]
const ATTEMPTS = 400

async function prepare(driver: Driver): Promise<void> {
  await createClaims(driver).install()
  const { integer } = driver.dialect
  const text = `create table work (number ${driver.dialect.identity.pieces.join('')}, key text not null, token ${integer.pieces.join('')} not null)`
  await driver.execute({ name: 'setup', text, values: [] })
}

async function historyOf(place: string): Promise<ClaimCall[]> {
  const children = SEEDS.map((seed) => fork(PROGRAM, [place, String(seed), String(ATTEMPTS)]))
  const logs = children.map(async (child) => {
    const ended = once(child, 'exit')
    const [calls] = await Promise.race([
      once(child, 'message') as Promise<[ClaimCall[]]>,
      ended.then(([code]) => assert.fail(`a process ended with ${code}`)),
    ])
    await ended
    return calls
  })
  return (await Promise.all(logs)).flat()
}

/** Writes stand in the order of their tokens: nobody wrote under a claim that had been taken over. */
async function checkWork(driver: Driver): Promise<number> {
  const rows = await driver.execute({
    name: 'look',
    text: 'select key, token from work order by number',
    values: [],
  })
  for (const [key, ofKey] of Map.groupBy(rows, (row) => row.key)) {
    const tokens = ofKey!.map((row) => Number(row.token))
    assert.deepEqual(
      tokens,
      tokens.toSorted((left, right) => left - right),
      `writes under ${key}`,
    )
  }
  return rows.length
}

async function judge(driver: Driver, calls: readonly ClaimCall[]): Promise<void> {
  const faults = checkClaimHistory(calls)
  assert.deepEqual(
    faults.map(({ message }) => message),
    [],
  )
  const written = await checkWork(driver)
  const count = (verb: ClaimCall['verb'], outcome: ClaimCall['outcome']) =>
    calls.filter((call) => call.verb === verb && call.outcome === outcome).length
  assert.equal(count('guarded', 'done'), written)
  console.log(
    `# history, seeds ${SEEDS}: ${calls.length} calls, ${count('acquire', 'done')} wins, ${written} writes under a claim, ${count('guarded', 'refused')} refused`,
  )
  for (const verb of ['acquire', 'renew', 'guarded'] as const) {
    assert.ok(
      count(verb, 'done') > 0 && count(verb, 'refused') > 0,
      `${verb} was never both done and refused`,
    )
  }
}

test('four processes on one file: never two holders, tokens rise, no write under a lost claim', async () => {
  const file = temporaryFile()
  const database = openFile(nodeSqlite, file.path)
  const driver = sqlite(database)
  await prepare(driver)
  await judge(driver, await historyOf(file.path))
  database.close()
  file.remove()
})

test('four processes on one PostgreSQL: the same', async () => {
  const server = await testPostgres()
  const fresh = await freshDatabase(server)
  const pool = new pg.Pool({ connectionString: fresh.url })
  const driver = postgres(pool)
  await prepare(driver)
  await judge(driver, await historyOf(fresh.url))
  await pool.end()
  await fresh.drop()
  await server.stop()
})
