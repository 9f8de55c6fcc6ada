import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Driver, Row } from '../../src/port/driver.ts'
import { probe } from '../../src/port/probe.ts'
import { sequential } from '../../src/testing/sequential.ts'
import { memory, wrapped } from './given.ts'

const broken = async (driver: Driver) =>
  (await probe(driver)).findings.filter(({ holds }) => !holds).map(({ rule }) => rule)

test('all holds on SQLite, and nothing is left behind', async (t) => {
  const { driver, database } = memory(t)
  const { ok, findings } = await probe(driver)
  assert.deepEqual(
    findings.filter(({ holds }) => !holds),
    [],
  )
  assert.equal(ok, true)
  assert.ok(findings.length >= 8)
  assert.deepEqual(database.prepare("select name from sqlite_schema where name like 'rowlock%'").all(), [])
})

test('a driver without an atomic batch says so', async (t) => {
  assert.deepEqual(await broken(sequential(memory(t).driver)), [
    'an error takes the whole batch back',
    'a write that falls short of its count takes the whole batch back, and is named',
    "a write of no rows is not 'some'",
    'a check that does not hold takes the whole batch back',
  ])
})

test('a driver that pretends to be atomic is found out', async (t) => {
  const pretender = { ...sequential(memory(t).driver), atomicBatch: true }
  assert.deepEqual(await broken(pretender), [
    'an error takes the whole batch back',
    'a write that falls short of its count takes the whole batch back, and is named',
    "a write of no rows is not 'some'",
    'a check that does not hold takes the whole batch back',
  ])
})

test('a driver that forgets to count is found out', async (t) => {
  const { driver } = memory(t)
  const careless: Driver = {
    ...driver,
    batch: (statements) => driver.batch(statements.map(({ expect: _, ...statement }) => statement)),
  }
  assert.deepEqual(await broken(careless), [
    'a write that falls short of its count takes the whole batch back, and is named',
    "a write of no rows is not 'some'",
    'a check that does not hold takes the whole batch back',
  ])
})

test('a driver that hands out numbers as text is found out', async (t) => {
  const texts = wrapped(memory(t).driver, async (_statements, next) =>
    (await next()).map((rows) =>
      rows.map((row): Row => ({ ...row, ...('amount' in row && { amount: String(row.amount) }) })),
    ),
  )
  assert.deepEqual(await broken(texts), ['whole numbers come back as numbers'])
})
