import { test } from 'node:test'
import { fileEngine, nodeSqlite } from '../conformance/sqlite-engines.ts'
import { raceD1 } from './d1-race.ts'
import { racePostgres } from './postgres-race.ts'
import { race, raceThrough } from './rounds.ts'

test('64 racers on each of 900 keys, one statement each: node:sqlite, file', async () => {
  const { driver, dispose } = await fileEngine('node:sqlite', nodeSqlite).open()
  await raceThrough(driver, (round) => race([driver], round))
  await dispose()
})

test('64 racers on 64 connections on each of 900 keys, one statement each: PostgreSQL', () =>
  racePostgres({ by: 'single' }))

test('64 racers on each of 90 keys, one statement each: D1 inside workerd', () => raceD1('single', 90))
