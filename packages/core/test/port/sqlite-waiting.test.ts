import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnavailableError } from '../../src/errors.ts'
import { put, say } from './given.ts'
import { file } from './sqlite-given.ts'

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve))

test('behind another writer a call waits without blocking the event loop, in its turn', async (t) => {
  const { driver, other, keys } = file(t)
  other.exec('begin immediate')
  const done: string[] = []
  const calls = [
    driver.execute(put('a')).then(() => done.push('a')),
    driver.batch([put('b', 1)]).then(() => done.push('b')),
    driver.execute(put('c')).then(() => done.push('c')),
  ]
  for (let turn = 0; turn < 20; turn++) await turnOfTheLoop()
  assert.deepEqual(done, [])
  // A read needs no lock and does not stand in the line.
  assert.deepEqual(await driver.execute(say('select key from t')), [])
  other.exec('commit')
  await Promise.all(calls)
  assert.deepEqual(done, ['a', 'b', 'c'])
  assert.deepEqual(keys(), ['a', 'b', 'c'])
})

test('a call gives up at its limit, having applied nothing', async (t) => {
  const { driver, other, keys } = file(t, { waitAtMost: 1 })
  other.exec('begin immediate')
  const unavailable = (error: unknown) => error instanceof UnavailableError && error.applied === 'no'
  await Promise.all([
    assert.rejects(driver.execute(put('a')), unavailable),
    assert.rejects(driver.batch([put('b')]), unavailable),
  ])
  other.exec('commit')
  assert.deepEqual(keys(), [])
})

test('a call that waits is never carried out inside a transaction that others open meanwhile', async (t) => {
  const { driver, database, other, keys } = file(t)
  other.exec('begin immediate')
  const call = driver.execute(put('a'))
  other.exec('commit')
  database.exec('begin immediate')
  for (let turn = 0; turn < 20; turn++) await turnOfTheLoop()
  database.exec('rollback')
  await call
  assert.deepEqual(keys(), ['a'])
})

test('behind a writer that holds the lock, a call inside a transaction is told at once', async (t) => {
  const { driver, database, other } = file(t)
  database.exec('begin; select * from t')
  other.exec('begin immediate')
  await assert.rejects(driver.execute(put('a')), (error) => {
    return error instanceof UnavailableError && error.applied === 'no'
  })
  assert.equal(database.isTransaction, true)
})
