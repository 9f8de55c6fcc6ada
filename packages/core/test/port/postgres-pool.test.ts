import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgres } from '../../src/drivers/postgres.ts'
import { InvalidInputError } from '../../src/errors.ts'
import { say } from './given.ts'
import { fakePool, serverError } from './postgres-fake.ts'

const write = (name: string, expect?: number) => say(`update ${name} set a = 1 returning a`, [], expect)

test('int8 becomes a number within 2^53 and a bigint beyond; other columns are left alone', async () => {
  const row = { small: '5', large: '9007199254740993', none: null, text: '7' }
  const { pool } = fakePool(() => ({ rows: [row], int8: ['small', 'large', 'none'] }))
  assert.deepEqual(await postgres(pool).execute(say('select 1')), [
    { small: 5, large: 9_007_199_254_740_993n, none: null, text: '7' },
  ])
})

test('statements have no names unless that is asked for', async () => {
  const unnamed = fakePool(() => ({}))
  await postgres(unnamed.pool).execute(write('x'))
  assert.deepEqual(unnamed.names, [undefined])
  const named = fakePool(() => ({}))
  const driver = postgres(named.pool, { prepare: true })
  for (const name of ['x', 'y', 'x']) await driver.execute(write(name))
  const [x, y, again] = named.names
  assert.match(x!, /^rowlock_[0-9a-z_]{1,50}$/)
  assert.equal(again, x)
  assert.notEqual(y, x)
})

test('after an ALTER TABLE a statement is prepared anew', async () => {
  let stale: string | undefined
  const { pool, names } = fakePool((_text, { name }) => {
    stale ??= name
    return name === stale ? serverError('0A000', 'cached plan', { routine: 'RevalidateCachedQuery' }) : {}
  })
  await postgres(pool, { prepare: true }).execute(write('x'))
  assert.equal(names.length, 2)
  assert.notEqual(names[0], names[1])
})

test('behind a pooler that keeps no names, the driver does without', async () => {
  for (const code of ['26000', '42P05']) {
    const { pool, names } = fakePool((_text, { name }) => (name === undefined ? {} : serverError(code)))
    const driver = postgres(pool, { prepare: true })
    await driver.execute(write('x'))
    await driver.execute(write('x'))
    assert.deepEqual(names.slice(1), [undefined, undefined])
  }
})

test('the pool may lose idle connections without ending the process, until the driver is closed', async () => {
  const { pool } = fakePool(() => ({}))
  const driver = postgres(pool)
  pool.emit('error', new Error('terminating connection'))
  await driver.close?.()
  assert.equal(pool.listenerCount('error'), 0)
})

test('a client that breaks while it is held is not used again', async () => {
  const { pool, client, log } = fakePool((text) => {
    if (text === 'commit') client.emit('error', new Error('gone'))
    return {}
  })
  await postgres(pool).batch([write('x')])
  assert.equal(log.at(-1), 'destroyed')
  assert.equal(client.listenerCount('error'), 0)
})

test('a single connection without a transaction is refused', () => {
  const { client } = fakePool(() => ({}))
  assert.throws(() => postgres(client as never), InvalidInputError)
  assert.throws(() => postgres({ ...client, connect: () => {}, processID: 1 } as never), InvalidInputError)
})

test('where the pool pipelines, calls of a group share connections and nothing else', async () => {
  let deadlocks = 1
  const { pool, log } = fakePool(
    (text) => {
      if (text.includes('nope')) return serverError('42703', 'column "nope" does not exist')
      if (text.startsWith('update busy') && deadlocks-- > 0) return serverError('40P01')
      return { rows: [{ text }] }
    },
    { pipeline: true, max: 2 },
  )
  const { grouping } = postgres(pool)
  const calls = [
    ...Array.from({ length: 9 }, (_, index) => write(`t${index}`)),
    say('select nope'),
    [write('b', 1)],
    write('busy'),
    say('select ?', [Number.NaN]),
  ]
  const answers = await grouping!.run(calls)
  assert.deepEqual(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.length : answer.reason.code)),
    [...Array<number>(9).fill(1), 'SCHEMA', 1, 1, 'INVALID_INPUT'],
  )
  const [first] = answers
  assert.ok(first?.status === 'fulfilled')
  assert.deepEqual(first.value, [[{ text: write('t0').text }]])
  assert.equal(log.filter((text) => text === 'released').length, 3)
  assert.equal(log.filter((text) => text === 'commit').length, 1)
})

test('where it does not, they are run side by side', async () => {
  const { pool } = fakePool((text) => (text.includes('nope') ? serverError('42P01') : { rows: [{}] }))
  const answers = await postgres(pool).grouping!.run([write('a'), write('nope'), [write('b', 1)]])
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})
