import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  EngineError,
  GuardError,
  InvalidInputError,
  SchemaError,
  UnavailableError,
} from '../../src/errors.ts'
import { atomic } from '../../src/port/atomic.ts'
import { postgres } from '../../src/port/dialect.ts'
import type { Driver, Statement } from '../../src/port/driver.ts'
import { sql } from '../../src/port/sql.ts'
import { memory, put, say, wrapped } from './given.ts'

const insert = (key: string) => sql`insert into t (key) values (${key}) on conflict do nothing returning key`

test('writes and checks that hold are done together, and give their rows', async (t) => {
  const { driver, keys } = memory(t)
  const done = await atomic(driver)
    .write(insert('a'), { expect: 1 })
    .check(sql`select key from t where key = ${'a'}`)
    .write(sql`update t set amount = 1`)
    .commit()
  assert.ok(done.ok)
  assert.deepEqual(
    done.rows.map((rows) => rows.map((row) => ({ ...row }))),
    [[{ key: 'a' }], [{ key: 'a' }], []],
  )
  assert.equal(done.replayed, false)
  assert.deepEqual(keys(), ['a'])
})

test('a condition that fails is named, and nothing is done', async (t) => {
  const { driver, keys } = memory(t)
  const debit = atomic(driver)
    .write(insert('a'), { expect: 1 })
    .write(sql`update t set amount = amount - 1 where amount >= 1 returning key`, {
      expect: 1,
      name: 'debit',
    })
  assert.deepEqual(await debit.commit(), {
    ok: false,
    reason: 'condition',
    failed: { index: 1, name: 'debit', expected: 1, actual: 0 },
  })
  await assert.rejects(debit.commitOrThrow(), (error) => error instanceof GuardError && error.index === 1)
  assert.deepEqual(keys(), [])
})

test('a check wants at least one row unless it says how many', async (t) => {
  const { driver, keys } = memory(t)
  await driver.batch([put('x'), put('y')])
  const check = (piece = sql`select key from t`) => atomic(driver).check(piece)
  assert.equal((await check().commit()).ok, true)
  assert.equal((await atomic(driver).check(sql`select key from t`, { expect: 2 }).commit()).ok, true)
  assert.equal((await atomic(driver).check(sql`select key from t`, { expect: 0 }).commit()).ok, false)
  const none = await check(sql`select key from t where key = 'z'`).write(insert('a')).commit()
  assert.deepEqual(none, {
    ok: false,
    reason: 'condition',
    failed: { index: 0, name: 'check 0', expected: 'some', actual: 0 },
  })
  assert.deepEqual(keys(), ['x', 'y'])
})

test('statements and queries of Kysely and Drizzle are taken', async (t) => {
  const { driver, keys } = memory(t)
  const text = 'insert into t (key) values (?) returning key'
  const done = await atomic(driver)
    .write(put('a', 1))
    .write({ compile: () => ({ sql: text, parameters: ['b'] }) }, { expect: 1 })
    .write({ toSQL: () => ({ sql: text, params: ['c'] }) }, { expect: 'some' })
    .check(say('select key from t', [], 3))
    .commit()
  assert.equal(done.ok, true)
  assert.deepEqual(keys(), ['a', 'b', 'c'])
  const failed = await atomic(driver).write(put('a', 1)).commit()
  assert.ok(!failed.ok && failed.reason === 'condition')
  assert.equal(failed.failed.name, 'test.it')
})

test('a list grows without changing the one it grew from', async (t) => {
  const { driver, keys } = memory(t)
  const one = atomic(driver).write(insert('a'))
  one.write(insert('b'))
  await one.commit()
  assert.deepEqual(keys(), ['a'])
})

test('what cannot keep its word is refused before any SQL', (t) => {
  const { driver } = memory(t)
  const sent = () => assert.fail('nothing may be sent')
  const silent: Driver = { ...driver, execute: sent, batch: sent }
  assert.throws(() => atomic({ ...silent, atomicBatch: false }), InvalidInputError)
  assert.throws(() => atomic(silent).write({} as never), InvalidInputError)
  assert.throws(() => atomic(silent).write(undefined as never), InvalidInputError)
  assert.throws(() => atomic(silent, { idempotencyKey: '' }), InvalidInputError)
  return assert.rejects(atomic(silent).commit(), InvalidInputError)
})

test('on PostgreSQL a check locks what it reads, and none cannot be locked', async (t) => {
  const { driver } = memory(t)
  const sent: Statement[] = []
  const recording: Driver = {
    ...driver,
    dialect: postgres,
    batch: async (statements) => {
      sent.push(...statements)
      return statements.map(() => [])
    },
  }
  await atomic(recording)
    .check(sql`select key from t where key = ${'a'};`)
    .check(sql`select key from t for share`)
    .commit()
  assert.deepEqual(
    sent.map(({ text }) => text),
    ['select key from t where key = $1\nfor no key update', 'select key from t for share'],
  )
  assert.throws(() => atomic(recording).check(sql`select key from t`, { expect: 0 }), InvalidInputError)
})

test('other errors are thrown', async (t) => {
  const { driver } = memory(t)
  await assert.rejects(atomic(driver).write(sql`insert into nowhere values (1)`).commit(), SchemaError)
  await driver.execute(put('a'))
  await assert.rejects(atomic(driver).write(sql`insert into t (key) values ('a')`).commit(), EngineError)
  const busy = wrapped(driver, async () => {
    throw new UnavailableError('locked', 'no')
  })
  await assert.rejects(atomic(busy).write(insert('a')).commit(), UnavailableError)
})

const lost = () => new UnavailableError('the answer was lost', 'unknown')

test('a lost answer is neither yes nor no', async (t) => {
  const { driver } = memory(t)
  const error = lost()
  const losing = wrapped(driver, async () => {
    throw error
  })
  assert.deepEqual(await atomic(losing).write(insert('a')).commit(), {
    ok: false,
    reason: 'unknown',
    cause: error,
  })
  await assert.rejects(atomic(losing).write(insert('a')).commitOrThrow(), error)
})
