import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type D1Database, type D1PreparedStatement, d1 } from '../../src/drivers/d1.ts'
import { EngineError, GuardError, InvalidInputError, UnavailableError } from '../../src/errors.ts'
import { collect, conformance, type Engine } from '../../src/testing/index.ts'
import { driverSuite } from '../../src/testing/suites/driver.ts'
import { fakeD1 } from './d1-fake.ts'
import { put, say } from './given.ts'

function open(t: TestContext) {
  const fake = fakeD1()
  t.after(() => fake.database.close())
  fake.database.exec('create table t (key text primary key not null, amount integer) strict')
  return fake
}

test('a guard stands right behind each write that proves something, and only there', async (t) => {
  const { binding, sent } = open(t)
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
  const { binding, keys } = open(t)
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
  const { binding } = open(t)
  const foreign = {
    ...binding,
    batch: () => Promise.reject(new Error("bad JSON path: 'rowlock1:other:0:0'")),
  }
  await assert.rejects(d1(foreign).batch([put('a', 1)]), EngineError)
})

test('a batch whose guard let a wrong count pass is not reported as right', async (t) => {
  const { binding } = open(t)
  const careless = { ...binding, batch: async () => [{ results: [] }, { results: [] }] }
  await assert.rejects(d1(careless).batch([put('a', 1)]), /the guard let 0 rows pass/)
})

test('a lost connection leaves the outcome unknown; an overloaded database has done nothing', async (t) => {
  const { binding } = open(t)
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
  const { binding } = open(t)
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
  const { binding, sent } = open(t)
  const driver = d1(binding)
  const many = say(`select ${Array(101).fill('?').join()}`, Array<number>(101).fill(1))
  await assert.rejects(driver.execute(many), InvalidInputError)
  await assert.rejects(driver.batch([put('a'), many]), InvalidInputError)
  await assert.rejects(driver.batch([put('a'), say(`select '${'x'.repeat(100_000)}'`)]), InvalidInputError)
  await assert.rejects(driver.batch([put('x'.repeat(2_000_001))]), InvalidInputError)
  await assert.rejects(driver.batch([put('a'), say('select 1; select 2')]), InvalidInputError)
  assert.deepEqual(sent, [])
})

/** Runs the driver suite; `change` has the last word on what D1 is sent. */
async function failures(change: (text: string, before: string) => string): Promise<number> {
  const engine: Engine = {
    name: 'D1 over node:sqlite',
    lacks: { peer: 'a database in memory belongs to one connection', crash: 'the same' },
    async open() {
      const { binding, database } = fakeD1()
      let before = ''
      const prepare = (text: string) => {
        const sent = change(text, before)
        before = text
        return binding.prepare(sent)
      }
      return { driver: d1({ ...binding, prepare }), dispose: async () => database.close() }
    },
  }
  const { test: add, cases } = collect()
  conformance(engine, { test: add, suites: [driverSuite] })
  let failed = 0
  for (const one of cases) if ((await one.run()).outcome === 'failed') failed += 1
  return failed
}

test('the suite passes over node:sqlite as well, so that what follows means something', async () => {
  assert.equal(await failures((text) => text), 0)
})

test('guards that are classic mistakes are rejected by the suite', async () => {
  const isGuard = (text: string) => text.includes('rowlock1:')
  const mistakes: Readonly<Record<string, (text: string, before: string) => string>> = {
    none: (text) => (isGuard(text) ? 'select 1' : text),
    'with a label that begins with $': (text) => text.replace("'rowlock1:", "'$.rowlock1:"),
    'with a label that is NULL': (text) => text.replace("'rowlock1:", "null || 'rowlock1:"),
    'that asks changes() behind a SELECT': (text) =>
      isGuard(text) ? text.replace(/n (= \d+|> 0)(.*)\|\| n\)/, 'changes() $1$2|| changes())') : text,
    'that takes more for enough': (text) =>
      isGuard(text) ? text.replace(/ = (\d+) then/, ' >= $1 then') : text,
  }
  for (const [name, change] of Object.entries(mistakes)) {
    assert.ok((await failures(change)) > 0, `a guard ${name} was not noticed`)
  }
})
