import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '../../src/errors.ts'
import { checkBatch, checkSingle, checkSize, checkText, checkValue } from '../../src/port/check.ts'
import { d1Sqlite, postgres, sqlite } from '../../src/port/dialect.ts'
import type { Expectation, Statement, Value } from '../../src/port/driver.ts'

const refused = (problem: RegExp) => (error: unknown) =>
  error instanceof InvalidInputError && problem.test(error.message)

const statement = (text: string, expect?: Expectation, values: readonly Value[] = []): Statement =>
  expect === undefined ? { name: 'test.it', text, values } : { name: 'test.it', text, values, expect }

test('a single statement carries no expect', () => {
  assert.throws(() => checkSingle(statement('select 1', 1)), refused(/expect stands on a single statement/))
  checkSingle(statement('select 1'))
})

test('a batch of nothing is refused', () => {
  assert.throws(() => checkBatch(sqlite, []), refused(/batch is empty/))
})

test('expect stands only where rows come back', () => {
  for (const text of [
    'update t set a = 1',
    "insert into t values ('returning')",
    'create table t (a)',
    'begin',
  ]) {
    assert.throws(() => checkBatch(sqlite, [statement(text, 1)]), refused(/gives no rows/), text)
  }
  checkBatch(sqlite, [statement('update t set a = 1 returning a', 'some'), statement('select 1', 0)])
  checkBatch(sqlite, [statement('update t set a = 1')])
})

test('expect is a count', () => {
  for (const expect of [-1, 1.5, Number.NaN, 'all' as 'some']) {
    assert.throws(
      () => checkBatch(sqlite, [statement('select 1', expect)]),
      refused(/a whole number or 'some'/),
    )
  }
})

test('on PostgreSQL a SELECT with expect locks what it reads', () => {
  assert.throws(() => checkBatch(postgres, [statement('select 1 from t', 1)]), refused(/locks nothing/))
  assert.throws(() => checkBatch(postgres, [statement('select 1 from t for key share', 1)]), refused(/locks/))
  checkBatch(postgres, [statement('select 1 from t for share', 1)])
  checkBatch(postgres, [statement('select 1 from t')])
})

test('several statements in one text are refused', () => {
  assert.throws(() => checkText('delete from t; delete from u'), refused(/several statements/))
  checkText('delete from t;')
})

test("the engine's limits are checked before anything is sent", () => {
  const many = new Array<Value>(101).fill(1)
  assert.throws(
    () => checkSize(d1Sqlite, statement('select 1', undefined, many)),
    refused(/values is 101; .*100/),
  )
  checkSize(sqlite, statement('select 1', undefined, many))
  const long = `select '${'x'.repeat(100_000)}'`
  assert.throws(() => checkSize(d1Sqlite, statement(long)), refused(/text in bytes is 100009/))
  const wide = 'é'.repeat(1_000_001)
  assert.throws(() => checkSize(d1Sqlite, statement('select ?', undefined, [wide])), refused(/2000002/))
  checkSize(d1Sqlite, statement('select ?', undefined, ['é'.repeat(1_000_000)]))
  const bytes = new Uint8Array(2_000_001)
  assert.throws(() => checkSize(d1Sqlite, statement('select ?', undefined, [bytes])), refused(/2000001/))
})

test('a value that no engine binds is refused', () => {
  const wrong: readonly unknown[] = [
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2n ** 63n,
    new Date(0),
    {},
    [],
  ]
  for (const value of wrong) {
    assert.throws(() => checkValue(statement(''), 0, value as Value), refused(/test\.it: value 0 is/))
  }
  for (const value of ['', 0, -1.5, -(2n ** 63n), true, null, new Uint8Array(1)])
    checkValue(statement(''), 0, value)
})
