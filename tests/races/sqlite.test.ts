import { test } from 'node:test'
import { grouped } from '@rowlock/core'
import { memory } from '@rowlock/core/testing'
import { betterSqlite, fileEngine, nodeSqlite } from '../conformance/sqlite-engines.ts'
import { processRace } from './processes.ts'
import { race, raceThrough } from './rounds.ts'

test('64 racers on each of 900 keys: node:sqlite, memory', async () => {
  const { driver, dispose } = await memory().open()
  await raceThrough(driver, (round) => race([driver], round))
  await dispose()
})

test('64 racers on each of 900 keys: node:sqlite, file, in groups', async () => {
  const { driver, dispose } = await fileEngine('node:sqlite', nodeSqlite).open()
  const together = grouped(driver)
  await raceThrough(driver, (round) => race([together], round))
  await dispose()
})

test('64 racers on four connections on each of 900 keys, many a statement: better-sqlite3, file', async () => {
  const { driver, peer, dispose } = await fileEngine('better-sqlite3', betterSqlite).open()
  const drivers = [driver, await peer!(), await peer!(), await peer!()]
  await raceThrough(driver, (round) => race(drivers, round), { by: 'many' })
  await dispose()
})

test('64 racers in four processes on each of 900 keys: node:sqlite, one file', async () => {
  const processes = await processRace(4)
  await raceThrough(processes.driver, processes.race)
  await processes.end()
})
