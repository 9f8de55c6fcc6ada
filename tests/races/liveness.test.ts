import { test } from 'node:test'
import { memory } from '@rowlock/core/testing'
import { raceChecksInProcesses, raceChecksOnD1, raceChecksOnPostgres } from './liveness-races.ts'
import { raceChecks, racer } from './liveness-rounds.ts'

const ROUNDS = 60

test('two checks at the same instant over one dead subject: node:sqlite, memory', async () => {
  const { driver, dispose } = await memory().open()
  const racers = [racer(driver), racer(driver)]
  await raceChecks(driver, (turn) => Promise.all(racers.map((run) => run(turn))), ROUNDS)
  await dispose()
})

test('two checks at the same instant over one dead subject: two processes on one SQLite file', () =>
  raceChecksInProcesses(ROUNDS))

test('two checks at the same instant over one dead subject: PostgreSQL', () => raceChecksOnPostgres(ROUNDS))

test('two checks at the same instant over one dead subject: D1 inside workerd', () => raceChecksOnD1(ROUNDS))
