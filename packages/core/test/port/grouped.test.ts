import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GuardError, InvalidInputError } from '../../src/errors.ts'
import type { Call, Driver } from '../../src/port/driver.ts'
import { grouped } from '../../src/port/grouped.ts'
import { memory, put, say } from './given.ts'

/** The driver, with the groups that it is given. */
function watched(driver: Driver): { driver: Driver; groups: (readonly Call[])[] } {
  const groups: (readonly Call[])[] = []
  const grouping = driver.grouping!
  return {
    groups,
    driver: {
      ...driver,
      grouping: {
        ready: () => grouping.ready(),
        run(calls) {
          groups.push(calls)
          return grouping.run(calls)
        },
      },
    },
  }
}

test('calls of one turn of the event loop are one group, each with its own answer', async (t) => {
  const { driver, groups } = watched(memory(t).driver)
  const many = grouped(driver)
  const answers = await Promise.allSettled([
    many.execute(put('a')),
    many.execute(put('a')),
    many.batch([put('b', 1), put('a', 1)]),
    many.batch([put('c', 1), say('select key from t where key = ?', ['a'], 1)]),
    many.execute(say('insert into nowhere values (1)')),
  ])
  assert.deepEqual(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.length : answer.reason.code)),
    [1, 0, 'GUARD_FAILED', 2, 'SCHEMA'],
  )
  assert.equal(groups.length, 1)
  assert.equal(groups[0]?.length, 5)
})

test('a group is no larger than it may be, and nobody is left out', async (t) => {
  const { driver, groups } = watched(memory(t).driver)
  const many = grouped(driver, { atMost: 3 })
  const results = await Promise.all(Array.from({ length: 8 }, (_, index) => many.execute(put(`k${index}`))))
  assert.deepEqual(
    results.map((rows) => rows.length),
    Array<number>(8).fill(1),
  )
  assert.deepEqual(
    groups.map((group) => group.length),
    [3, 3, 2],
  )
})

test('a call that is alone is run as it is', async (t) => {
  const { driver, groups } = watched(memory(t).driver)
  const many = grouped(driver)
  assert.equal((await many.execute(put('a'))).length, 1)
  assert.equal((await many.batch([put('b', 1)])).length, 1)
  await assert.rejects(many.batch([put('b', 1)]), GuardError)
  assert.deepEqual(groups, [])
})

test('what is wrong is refused before it joins a group', async (t) => {
  const many = grouped(memory(t).driver)
  await assert.rejects(many.execute(put('a', 1)), InvalidInputError)
  await assert.rejects(many.batch([]), InvalidInputError)
  await assert.rejects(many.batch([say("insert into t (key) values ('a')", [], 1)]), InvalidInputError)
  assert.throws(() => grouped(memory(t).driver, { atMost: 0 }), InvalidInputError)
  assert.throws(() => grouped(memory(t).driver, { withinMs: -1 }), InvalidInputError)
})

test("a call in the caller's own transaction waits for nobody", async (t) => {
  const { driver, database, keys } = memory(t)
  const many = grouped(driver)
  const outside = many.execute(put('outside'))
  database.exec('begin immediate')
  const inside = many.execute(put('inside'))
  assert.deepEqual(keys(), ['inside'])
  database.exec('rollback')
  await Promise.all([outside, inside])
  assert.deepEqual(keys(), ['outside'])
})

test('a driver that gains nothing by groups is given back', (t) => {
  const { grouping: _, ...plain } = memory(t).driver
  assert.equal(grouped(plain), plain)
})

test('closing answers those who wait', async (t) => {
  let closed = false
  const { driver } = memory(t)
  const close = async () => {
    closed = true
  }
  const many = grouped({ ...driver, close }, { withinMs: 1 })
  const waiting = many.execute(put('a'))
  await many.close?.()
  assert.equal((await waiting).length, 1)
  assert.equal(closed, true)
})

test('a group that cannot be run at all is an error for each of its calls', async (t) => {
  const { driver } = memory(t)
  const broken = new Error('broken')
  const many = grouped({ ...driver, grouping: { ready: () => true, run: () => Promise.reject(broken) } })
  await Promise.all([
    assert.rejects(many.execute(put('a')), broken),
    assert.rejects(many.execute(put('b')), broken),
  ])
})
