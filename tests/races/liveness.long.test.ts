import { test } from 'node:test'
import { raceChecksInProcesses, raceChecksOnD1, raceChecksOnPostgres } from './liveness-races.ts'

const ROUNDS = 1000

test('1,000 times two checks at the same instant: two processes on one SQLite file', () =>
  raceChecksInProcesses(ROUNDS))

test('1,000 times two checks at the same instant: PostgreSQL', () => raceChecksOnPostgres(ROUNDS))

test('1,000 times two checks at the same instant: D1 inside workerd', () => raceChecksOnD1(ROUNDS))
