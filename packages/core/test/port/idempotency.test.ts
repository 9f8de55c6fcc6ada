import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnavailableError } from '../../src/errors.ts'
import { installSchemas } from '../../src/install/installer.ts'
import { atomic } from '../../src/port/atomic.ts'
import { markersSchema, sweepMarkers } from '../../src/port/markers.ts'
import { sql } from '../../src/port/sql.ts'
import { memory, put, wrapped } from './given.ts'

const insert = (key: string) => sql`insert into t (key) values (${key}) on conflict do nothing returning key`
const lost = () => new UnavailableError('the answer was lost', 'unknown')

test('an idempotency key is carried out once', async (t) => {
  const { driver, keys } = memory(t)
  await installSchemas(driver, [markersSchema])
  const once = (key: string) =>
    atomic(driver, { idempotencyKey: 'order 1' }).write(insert(key), { expect: 1 })
  const first = await once('a').commit()
  assert.ok(first.ok && !first.replayed && first.rows.length === 1)
  assert.deepEqual(await once('b').commit(), { ok: true, rows: [], replayed: true })
  assert.deepEqual(keys(), ['a'])
})

test('a condition that fails leaves the key unused, and keeps the numbering of the caller', async (t) => {
  const { driver } = memory(t)
  await installSchemas(driver, [markersSchema])
  await driver.execute(put('a'))
  const keyed = atomic(driver, { idempotencyKey: 'k' })
  const failed = await keyed.write(insert('a'), { expect: 1 }).commit()
  assert.deepEqual(failed, {
    ok: false,
    reason: 'condition',
    failed: { index: 0, name: 'write 0', expected: 1, actual: 0 },
  })
  assert.equal((await keyed.write(insert('b'), { expect: 1 }).commit()).ok, true)
})

test('with an idempotency key a lost answer is resolved, whether it had been done or not', async (t) => {
  for (const done of [true, false]) {
    const { driver, keys } = memory(t)
    await installSchemas(driver, [markersSchema])
    let calls = 0
    const losing = wrapped(driver, async (_statements, next) => {
      calls += 1
      if (calls > 1) return next()
      if (done) await next()
      throw lost()
    })
    const result = await atomic(losing, { idempotencyKey: 'k' }).write(insert('a'), { expect: 1 }).commit()
    assert.ok(result.ok)
    assert.equal(result.replayed, done)
    assert.deepEqual(keys(), ['a'])
  }
})

test('after a lost answer a refusal proves nothing: the first attempt may still arrive', async (t) => {
  const { driver } = memory(t)
  await installSchemas(driver, [markersSchema])
  await driver.execute(put('a'))
  let calls = 0
  const losing = wrapped(driver, async (_statements, next) => {
    calls += 1
    if (calls === 1) throw lost()
    return next()
  })
  const result = await atomic(losing, { idempotencyKey: 'k' }).write(insert('a'), { expect: 1 }).commit()
  assert.ok(!result.ok && result.reason === 'unknown')
  assert.equal(calls, 2)
})

test('keys are forgotten after their retention, oldest first, so many at a time', async (t) => {
  const { driver, database } = memory(t)
  await installSchemas(driver, [markersSchema])
  for (const [idempotencyKey, now] of [
    ['a', 1000],
    ['b', 2000],
    ['c', 3000],
  ] as const) {
    await atomic(driver, { idempotencyKey, now }).write(insert(idempotencyKey)).commit()
  }
  const left = () =>
    database
      .prepare('select key from rowlock_markers order by key')
      .all()
      .map((row) => row.key)
  assert.deepEqual(await sweepMarkers(driver, { now: 2500, retention: 500 }), { removed: 1, more: false })
  assert.deepEqual(left(), ['b', 'c'])
  assert.deepEqual(await sweepMarkers(driver, { now: 9000, retention: 500, limit: 1 }), {
    removed: 1,
    more: true,
  })
  assert.deepEqual(left(), ['c'])
})
