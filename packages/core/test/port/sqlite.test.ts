import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { type SqliteDatabase, sqlite } from '../../src/drivers/sqlite.ts'
import {
  EngineError,
  GuardError,
  InvalidInputError,
  SchemaError,
  UnavailableError,
} from '../../src/errors.ts'
import type { Expectation, Statement, Value } from '../../src/port/driver.ts'

const say = (text: string, values: readonly Value[] = [], expect?: Expectation): Statement =>
  expect === undefined ? { name: 'test.it', text, values } : { name: 'test.it', text, values, expect }
const put = (key: string, expect?: Expectation) =>
  say('insert into t (key) values (?) on conflict do nothing returning key', [key], expect)

const SCHEMA = `
  create table t (key text primary key not null, amount integer) strict;
  create table child (parent text references t (key) deferrable initially deferred) strict;
  create trigger poison before insert on t when new.key = 'poison' begin select raise(rollback, 'poisoned'); end`

function memory(t: TestContext) {
  const database = new DatabaseSync(':memory:')
  t.after(() => database.close())
  database.exec(SCHEMA)
  return { database, driver: sqlite(database), keys: () => keysOf(database) }
}

/** Two connections to one file. */
function file(t: TestContext, options?: { waitAtMost: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'rowlock-'))
  const [database, other] = [1, 2].map(() => new DatabaseSync(join(folder, 'a.db'))) as [
    DatabaseSync,
    DatabaseSync,
  ]
  t.after(() => {
    database.close()
    other.close()
    rmSync(folder, { recursive: true })
  })
  database.exec('pragma journal_mode = wal; pragma synchronous = off')
  database.exec(SCHEMA)
  return { database, other, driver: sqlite(database, options), keys: () => keysOf(other) }
}

const keysOf = (database: DatabaseSync) =>
  database
    .prepare('select key from t order by key')
    .all()
    .map((row) => row.key)

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve))

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

test('a group shares one transaction, and each call has its own answer', async (t) => {
  const { driver, database, keys } = memory(t)
  const seen: string[] = []
  const watched = new Proxy(database, {
    get(target, name) {
      if (name === 'exec') {
        return (text: string) => {
          seen.push(text)
          target.exec(text)
        }
      }
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const { grouping } = sqlite(watched)
  await driver.execute(put('taken'))
  const answers = await grouping!.run([
    put('a'),
    put('taken'),
    [put('b'), put('taken', 1)],
    say('insert into nowhere values (1)'),
    [put('c', 1), put('d', 1)],
    say('select count(*) as n from t'),
  ])
  assert.deepEqual(
    answers.map((answer) =>
      answer.status === 'fulfilled' ? answer.value.flat().length : answer.reason.code,
    ),
    [1, 0, 'GUARD_FAILED', 'SCHEMA', 2, 1],
  )
  assert.deepEqual(keys(), ['a', 'c', 'd', 'taken'])
  assert.deepEqual(
    seen.filter((text) => /^(begin|commit)/.test(text)),
    ['begin immediate', 'commit'],
  )
})

test('when the engine takes back a group, the calls are done one by one', async (t) => {
  for (const culprit of [
    put('poison'),
    [put('x'), put('poison')],
    say("insert into child values ('nobody')"),
  ]) {
    const { driver, keys } = memory(t)
    const answers = await driver.grouping!.run([put('a'), culprit, put('b')])
    assert.deepEqual(
      answers.map((answer) => answer.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(keys(), ['a', 'b'])
  }
})

test('a group of reads takes no write lock', async (t) => {
  const { driver, other } = file(t, { waitAtMost: 1 })
  other.exec('begin immediate')
  const answers = await driver.grouping!.run([say('select 1 as a'), say('select 2 as a')])
  assert.deepEqual(
    answers.map((answer) => answer.status),
    ['fulfilled', 'fulfilled'],
  )
  other.exec('rollback')
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
