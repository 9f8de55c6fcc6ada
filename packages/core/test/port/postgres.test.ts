import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgres } from '../../src/drivers/postgres.ts'
import {
  EngineError,
  GuardError,
  InvalidInputError,
  SchemaError,
  UnavailableError,
} from '../../src/errors.ts'
import { say } from './given.ts'
import { fakePool, serverError } from './postgres-fake.ts'

const BEGIN = 'begin isolation level read committed'
const write = (name: string, expect?: number) => say(`update ${name} set a = 1 returning a`, [], expect)
const unavailable = (applied: 'no' | 'unknown') => (error: unknown) =>
  error instanceof UnavailableError && error.applied === applied
const lost = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

test('a batch is one transaction at READ COMMITTED, committed when its rows have been counted', async () => {
  const { pool, log } = fakePool((text) => (text.startsWith('update') ? { rows: [{ a: 1 }] } : {}))
  const results = await postgres(pool).batch([write('x', 1), write('y')])
  assert.deepEqual(results, [[{ a: 1 }], [{ a: 1 }]])
  assert.deepEqual(log, [BEGIN, write('x').text, write('y').text, 'commit', 'released'])
})

test('where the client pipelines, a batch takes two flights', async () => {
  const opened: (() => void)[] = []
  const { pool, log } = fakePool(() => new Promise((resolve) => opened.push(() => resolve({ rows: [{}] }))), {
    pipeline: true,
  })
  const batch = postgres(pool).batch([write('x', 1), write('y', 1)])
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(log, [BEGIN, write('x').text, write('y').text])
  for (const answer of opened.splice(0)) answer()
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(log.at(-1), 'commit')
  for (const answer of opened.splice(0)) answer()
  assert.equal((await batch).length, 2)
})

test('a count that is off is rolled back, and what is behind it is not run', async () => {
  for (const pipeline of [false, true]) {
    const { pool, log } = fakePool(
      (text) => {
        if (text === write('y').text) return serverError('23503', 'because x wrote nothing')
        return {}
      },
      { pipeline },
    )
    await assert.rejects(postgres(pool).batch([write('x', 1), write('y', 1)]), (error) => {
      return error instanceof GuardError && error.index === 0 && error.actual === 0
    })
    assert.deepEqual(log.slice(-2), ['rollback', 'released'])
    assert.equal(log.includes('commit'), false)
  }
})

test('COMMIT answered with ROLLBACK is no commit', async () => {
  const { pool } = fakePool((text) => (text === 'commit' ? { command: 'ROLLBACK' } : {}))
  await assert.rejects(postgres(pool).batch([write('x')]), (error) => {
    return error instanceof EngineError && error.fault === 'aborted-transaction'
  })
})

test('a connection lost at COMMIT leaves the outcome unknown, and is not used again', async () => {
  const { pool, log } = fakePool((text) => (text === 'commit' ? lost() : {}))
  await assert.rejects(postgres(pool).batch([write('x')]), unavailable('unknown'))
  assert.equal(log.at(-1), 'destroyed')
})

test('a connection lost before COMMIT has applied nothing', async () => {
  for (const at of [BEGIN, write('x').text]) {
    let gone = false
    const { pool, log } = fakePool((text) => {
      gone ||= text === at
      return gone ? lost() : {}
    })
    await assert.rejects(postgres(pool).batch([write('x')]), unavailable('no'))
    assert.equal(log.at(-1), 'destroyed')
  }
})

test('a single statement whose connection is lost may have been applied', async () => {
  const { pool } = fakePool(() => lost())
  await assert.rejects(postgres(pool).execute(write('x')), unavailable('unknown'))
})

test('no connection, nothing applied', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const { pool } = fakePool(() => refused)
  await assert.rejects(postgres(pool).execute(write('x')), unavailable('no'))
  const reset = { ...pool, on: () => {}, off: () => {}, connect: () => Promise.reject(lost()) }
  await assert.rejects(postgres(reset).batch([write('x')]), unavailable('no'))
})

test('deadlocks and serialization failures have applied nothing and are tried again', async () => {
  for (const code of ['40P01', '40001']) {
    let failures = 2
    const { pool, log } = fakePool((text) => {
      if (text.startsWith('update') && failures-- > 0) return serverError(code)
      return text.startsWith('update') ? { rows: [{}] } : {}
    })
    const driver = postgres(pool)
    assert.equal((await driver.batch([write('x', 1)])).length, 1)
    assert.deepEqual(
      log.filter((text) => text === 'rollback' || text === 'commit'),
      ['rollback', 'rollback', 'commit'],
    )
    failures = 1
    assert.equal((await driver.execute(write('x'))).length, 1)
  }
  let failures = 1
  const { pool } = fakePool((text) => (text === 'commit' && failures-- > 0 ? serverError('40001') : {}))
  await postgres(pool).batch([write('x')])
})

test('trying again has an end', async () => {
  const { pool } = fakePool((text) => (text.startsWith('update') ? serverError('40P01') : {}))
  const driver = postgres(pool, { waitAtMost: 1 })
  await assert.rejects(driver.execute(write('x')), unavailable('no'))
  await assert.rejects(driver.batch([write('x')]), unavailable('no'))
})

test('a SELECT that proves something has to lock what it reads', async () => {
  const { pool, log } = fakePool(() => ({ rows: [{}] }))
  const driver = postgres(pool)
  await assert.rejects(driver.batch([say('select 1 from t', [], 1)]), InvalidInputError)
  assert.deepEqual(log, [])
  await driver.batch([say('select 1 from t for no key update', [], 1)])
})

test("inside the caller's transaction each call is under a savepoint, one after the other", async () => {
  const { client, log } = fakePool((text) => {
    if (text.includes('nope')) return serverError('42703', 'column "nope" does not exist')
    return text.startsWith('update x') ? { rows: [{}] } : {}
  })
  const driver = postgres(client, { transaction: true })
  const [done, missing, short] = await Promise.allSettled([
    driver.execute(write('x')),
    postgres(client, { transaction: true }).execute(say('select nope')),
    driver.batch([write('x', 1), write('y', 1)]),
  ])
  assert.equal(done?.status, 'fulfilled')
  assert.ok(missing?.status === 'rejected' && missing.reason instanceof SchemaError)
  assert.ok(short?.status === 'rejected' && short.reason instanceof GuardError)
  const undone = ['rollback to savepoint rowlock', 'release savepoint rowlock']
  assert.deepEqual(log, [
    ...['savepoint rowlock', write('x').text, 'release savepoint rowlock'],
    ...['savepoint rowlock', 'select nope', ...undone],
    ...['savepoint rowlock', write('x').text, write('y').text, ...undone],
  ])
})

test("losing the connection inside the caller's transaction applies nothing", async () => {
  const { client } = fakePool((text) => (text.startsWith('savepoint') ? {} : lost()))
  const driver = postgres(client, { transaction: true })
  await assert.rejects(driver.execute(write('x')), unavailable('no'))
})
