import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { type D1Database, type D1PreparedStatement, d1 } from '../../src/drivers/d1.ts'
import { EngineError, GuardError, InvalidInputError, UnavailableError } from '../../src/errors.ts'
import { put, say } from './given.ts'

interface Bound extends D1PreparedStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** D1's behaviour over node:sqlite: batches are transactions, errors are wrapped and have only words. */
function fakeD1(t: TestContext) {
  const database = new DatabaseSync(':memory:')
  t.after(() => database.close())
  database.exec('create table t (key text primary key not null, amount integer) strict')
  const sent: Bound[] = []
  const rows = ({ text, values }: Bound) => {
    const results = database.prepare(text).all(...(values as never[]))
    return { results: results.map((row) => ({ ...row })) }
  }
  const wrapped = (error: unknown) =>
    new Error('D1_ERROR: something went wrong', {
      cause: new Error(`D1_ERROR: ${(error as Error).message} at offset 7: SQLITE_ERROR`),
    })
  const bound = (text: string, values: readonly unknown[]): Bound => ({
    text,
    values,
    bind: (...given) => bound(text, given),
    all: async () => rows(bound(text, values)),
  })
  const binding: D1Database = {
    prepare: (text) => bound(text, []),
    async batch(statements) {
      sent.push(...(statements as Bound[]))
      database.exec('begin')
      try {
        const results = (statements as Bound[]).map(rows)
        database.exec('commit')
        return results
      } catch (error) {
        database.exec('rollback')
        throw wrapped(error)
      }
    },
  }
  const keys = () =>
    database
      .prepare('select key from t order by key')
      .all()
      .map((row) => row.key)
  return { binding, database, sent, keys }
}

test('a guard stands right behind each write that proves something, and only there', async (t) => {
  const { binding, sent } = fakeD1(t)
  await d1(binding).batch([put('a'), put('b', 1), say('select key from t;', [], 2), put('c', 'some')])
  const shown = sent.map(({ text }) => text.replaceAll(/rowlock1:[0-9a-f-]{36}/g, 'rowlock1:nonce'))
  assert.deepEqual(
    shown.map((text) => (text.startsWith('insert') ? 'insert' : text)),
    [
      'insert',
      'insert',
      "select case when changes() = 1 then 1 else json_extract('{}', 'rowlock1:nonce:1:' || changes()) end",
      'select key from t;',
      "select (select case when n = 2 then 1 else json_extract('{}', 'rowlock1:nonce:2:' || n) end from (select count(*) as n from (select key from t\n)))",
      'insert',
      "select case when changes() > 0 then 1 else json_extract('{}', 'rowlock1:nonce:3:' || changes()) end",
    ],
  )
})

test('a failed guard is found in the causes of a wrapped error', async (t) => {
  const { binding, keys } = fakeD1(t)
  const driver = d1(binding)
  await driver.execute(put('a'))
  for (const [batch, index, expected, actual] of [
    [[put('b'), put('a', 1)], 1, 1, 0],
    [[put('b', 2)], 0, 2, 1],
    [[say("update t set amount = 1 where key = 'z' returning key", [], 'some')], 0, 'some', 0],
    [[put('b'), say('select key from t where key <> ? -- all others', ['z'], 1)], 1, 1, 2],
  ] as const) {
    await assert.rejects(driver.batch(batch), (error) => {
      assert.ok(error instanceof GuardError)
      assert.deepEqual([error.index, error.expected, error.actual], [index, expected, actual])
      return true
    })
    assert.deepEqual(keys(), ['a'])
  }
})

test("somebody else's label is no failed guard of this batch", async (t) => {
  const { binding } = fakeD1(t)
  const foreign = {
    ...binding,
    batch: () => Promise.reject(new Error("bad JSON path: 'rowlock1:other:0:0'")),
  }
  await assert.rejects(d1(foreign).batch([put('a', 1)]), EngineError)
})

test('a batch whose guard let a wrong count pass is not reported as right', async (t) => {
  const { binding } = fakeD1(t)
  const open = { ...binding, batch: async () => [{ results: [] }, { results: [] }] }
  await assert.rejects(d1(open).batch([put('a', 1)]), /the guard let 0 rows pass/)
})

test('a lost connection leaves the outcome unknown; an overloaded database has done nothing', async (t) => {
  const { binding } = fakeD1(t)
  for (const [words, applied] of [
    ['D1_ERROR: Network connection lost.', 'unknown'],
    ['D1_ERROR: D1 DB is overloaded. Requests queued for too long.', 'no'],
  ] as const) {
    const failing = { ...binding, batch: () => Promise.reject(new Error(words)) }
    await assert.rejects(d1(failing).batch([put('a', 1)]), (error) => {
      return error instanceof UnavailableError && error.applied === applied
    })
  }
})

test('bigints and truth values are bound as D1 takes them; blobs come back as bytes', async (t) => {
  const { binding } = fakeD1(t)
  const bound: unknown[] = []
  const recording: D1Database = {
    ...binding,
    prepare: () => {
      const prepared: D1PreparedStatement = {
        bind(...values) {
          bound.push(...values)
          return prepared
        },
        all: async () => ({ results: [{ a: 1, b: [1, 2, 3] }] }),
      }
      return prepared
    },
  }
  const driver = d1(recording)
  const rows = await driver.execute(say('select ?, ?, ?, ?', [5n, true, false, null]))
  assert.deepEqual(bound, [5, 1, 0, null])
  assert.deepEqual(rows, [{ a: 1, b: Uint8Array.of(1, 2, 3) }])
  await assert.rejects(driver.execute(say('select ?', [2n ** 53n])), InvalidInputError)
})

test("what passes D1's limits is refused before anything is sent", async (t) => {
  const { binding, sent } = fakeD1(t)
  const driver = d1(binding)
  const many = say(`select ${Array(101).fill('?').join()}`, Array<number>(101).fill(1))
  await assert.rejects(driver.execute(many), InvalidInputError)
  await assert.rejects(driver.batch([put('a'), many]), InvalidInputError)
  await assert.rejects(driver.batch([put('a'), say(`select '${'x'.repeat(100_000)}'`)]), InvalidInputError)
  await assert.rejects(driver.batch([put('x'.repeat(2_000_001))]), InvalidInputError)
  await assert.rejects(driver.batch([put('a'), say('select 1; select 2')]), InvalidInputError)
  assert.deepEqual(sent, [])
})
