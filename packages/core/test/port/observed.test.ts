import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GuardError } from '../../src/errors.ts'
import { grouped } from '../../src/port/grouped.ts'
import { observed, type StatementEvent } from '../../src/port/observed.ts'
import { memory, put, say } from './given.ts'

test('every statement is told of, with its rows, its place and its error, and without values', async (t) => {
  const events: StatementEvent[] = []
  const driver = observed(memory(t).driver, { onStatement: (event) => events.push(event) })
  await driver.execute(put('secret'))
  await assert.rejects(driver.execute(say('select nope')))
  await driver.batch([put('b', 1), say('select key from t')])
  await assert.rejects(driver.batch([put('b', 1)]), GuardError)
  assert.deepEqual(
    events.map(({ name, rows, error, batch }) => [
      name,
      rows,
      (error as { code?: string })?.code,
      batch?.index,
    ]),
    [
      ['test.it', 1, undefined, undefined],
      ['test.it', 0, 'SCHEMA', undefined],
      ['test.it', 1, undefined, 0],
      ['test.it', 2, undefined, 1],
      ['test.it', 0, 'GUARD_FAILED', 0],
    ],
  )
  assert.ok(events.every(({ durationMs }) => durationMs >= 0))
  assert.ok(!JSON.stringify(events).includes('secret'))
})

test('calls of a group are told of, whichever way the two are put together', async (t) => {
  for (const build of [
    (onStatement: (event: StatementEvent) => void) => grouped(observed(memory(t).driver, { onStatement })),
    (onStatement: (event: StatementEvent) => void) => observed(grouped(memory(t).driver), { onStatement }),
  ]) {
    const events: StatementEvent[] = []
    const driver = build((event) => events.push(event))
    await Promise.all([driver.execute(put('a')), driver.batch([put('b', 1), put('c', 1)])])
    assert.deepEqual(events.map(({ rows, batch }) => `${rows} row, ${batch?.index ?? 'alone'}`).sort(), [
      '1 row, 0',
      '1 row, 1',
      '1 row, alone',
    ])
  }
})

test('a listener that throws makes no failure of what was done', async (t) => {
  const { driver, keys } = memory(t)
  const watched = observed(driver, {
    onStatement() {
      throw new Error('the log is full')
    },
  })
  assert.equal((await watched.execute(put('a'))).length, 1)
  assert.deepEqual(keys(), ['a'])
})
