import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type SqliteDatabase, sqlite } from '../../src/drivers/sqlite.ts'
import {
  EngineError,
  GuardError,
  InvalidInputError,
  SchemaError,
  UnavailableError,
} from '../../src/errors.ts'
import { put, say } from './given.ts'
import { memory } from './sqlite-given.ts'

test('whole numbers are bound as integers, truth values as 1 and 0', async (t) => {
  const { driver } = memory(t)
  const [row] = await driver.execute(
    say('select cast(? as text) a, typeof(?) b, typeof(?) c, ? d, ? e, typeof(?) f', [
      5,
      5,
      5.5,
      true,
      false,
      new Uint8Array(2),
    ]),
  )
  assert.deepEqual({ ...row }, { a: '5', b: 'integer', c: 'real', d: 1, e: 0, f: 'blob' })
})

test('what cannot be bound is refused by name', async (t) => {
  const { driver } = memory(t)
  await assert.rejects(driver.execute(say('select ?', [Number.NaN])), InvalidInputError)
  await assert.rejects(driver.execute(say('select ?', [undefined as never])), InvalidInputError)
  await assert.rejects(driver.execute(say('delete from t; delete from t')), InvalidInputError)
  await assert.rejects(driver.execute(put('a', 1)), InvalidInputError)
  await assert.rejects(driver.batch([]), InvalidInputError)
})

test('whole numbers come back as numbers even where the connection reads bigints', async (t) => {
  const database = new DatabaseSync(':memory:', { readBigInts: true })
  t.after(() => database.close())
  const [row] = await sqlite(database).execute(say('select 7 as n'))
  assert.equal(row?.n, 7)
})

test('a batch is done as a whole and gives the rows of each statement', async (t) => {
  const { driver, keys } = memory(t)
  const results = await driver.batch([put('a', 1), say('select 1 as one', [], 1), put('b', 'some')])
  assert.deepEqual(
    results.map((rows) => rows.map((row) => ({ ...row }))),
    [[{ key: 'a' }], [{ one: 1 }], [{ key: 'b' }]],
  )
  assert.deepEqual(keys(), ['a', 'b'])
})

test('a failed guard names its statement, and nothing of the batch stays', async (t) => {
  const { driver, database, keys } = memory(t)
  await driver.execute(put('a'))
  await assert.rejects(driver.batch([put('b'), put('a', 1), put('c')]), (error) => {
    assert.ok(error instanceof GuardError)
    const { statement, index, expected, actual } = error
    assert.deepEqual(
      { statement, index, expected, actual },
      { statement: 'test.it', index: 1, expected: 1, actual: 0 },
    )
    return true
  })
  assert.deepEqual(keys(), ['a'])
  assert.equal(database.isTransaction, false)
})

test('an error in a batch takes the rest back', async (t) => {
  const { driver, database, keys } = memory(t)
  await assert.rejects(driver.batch([put('a'), say('insert into nowhere values (1)')]), SchemaError)
  await assert.rejects(driver.batch([put('a'), say("insert into child values ('nobody')")]), (error) => {
    return error instanceof EngineError && error.fault === 'foreign-key'
  })
  await assert.rejects(driver.batch([put('a'), put('poison')]), EngineError)
  assert.deepEqual(keys(), [])
  assert.equal(database.isTransaction, false)
})

test("inside the caller's transaction a call undoes only itself", async (t) => {
  const { driver, database, keys } = memory(t)
  database.exec('begin immediate')
  await driver.execute(put('a'))
  assert.deepEqual(await driver.execute(put('a')), [])
  await assert.rejects(driver.batch([put('b'), put('a', 1)]), GuardError)
  await assert.rejects(driver.execute(say('insert into t (nope) values (1)')), SchemaError)
  await driver.batch([put('c', 1), put('d', 1)])
  assert.equal(database.isTransaction, true)
  assert.deepEqual(keys(), ['a', 'c', 'd'])
  database.exec('rollback')
  assert.deepEqual(keys(), [])
})

test("an error that ends the caller's transaction says so", async (t) => {
  const { driver, database } = memory(t)
  for (const call of [() => driver.execute(put('poison')), () => driver.batch([put('a'), put('poison')])]) {
    database.exec('begin immediate')
    await assert.rejects(call(), (error) => {
      return error instanceof EngineError && error.fault === 'aborted-transaction'
    })
    assert.equal(database.isTransaction, false)
  }
})

test('a connection that cannot tell whether it is in a transaction is asked another way', async (t) => {
  const { database, keys } = memory(t)
  const old: SqliteDatabase = {
    prepare: (text) => database.prepare(text) as never,
    exec: (text) => database.exec(text),
  }
  const driver = sqlite(old)
  await driver.batch([put('a', 1)])
  database.exec('begin immediate')
  await assert.rejects(driver.batch([put('b'), put('a', 1)]), GuardError)
  assert.equal(database.isTransaction, true)
  database.exec('commit')
  assert.deepEqual(keys(), ['a'])
})

test('a driver whose database was closed says that nothing was applied', async () => {
  const database = new DatabaseSync(':memory:')
  const driver = sqlite(database)
  database.close()
  const unavailable = (error: unknown) => error instanceof UnavailableError && error.applied === 'no'
  await assert.rejects(driver.execute(say('select 1')), unavailable)
  await assert.rejects(driver.batch([say('select 1')]), unavailable)
})
