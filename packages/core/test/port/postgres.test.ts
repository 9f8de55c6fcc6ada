import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgres } from '../../src/drivers/postgres.ts'
import {
  EngineError,
  GuardError,
  InvalidInputError,
  SchemaError,
  UnavailableError,
} from '../../src/errors.ts'
import { say } from './given.ts'
import { fakePool, serverError } from './postgres-fake.ts'

const BEGIN = 'begin isolation level read committed'
const write = (name: string, expect?: number) => say(`update ${name} set a = 1 returning a`, [], expect)
const unavailable = (applied: 'no' | 'unknown') => (error: unknown) =>
  error instanceof UnavailableError && error.applied === applied
const lost = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

test('a batch is one transaction at READ COMMITTED, committed when its rows have been counted', async () => {
  const { pool, log } = fakePool((text) => (text.startsWith('update') ? { rows: [{ a: 1 }] } : {}))
  const results = await postgres(pool).batch([write('x', 1), write('y')])
  assert.deepEqual(results, [[{ a: 1 }], [{ a: 1 }]])
  assert.deepEqual(log, [BEGIN, write('x').text, write('y').text, 'commit', 'released'])
})

test('where the client pipelines, a batch takes two flights', async () => {
  const opened: (() => void)[] = []
  const { pool, log } = fakePool(() => new Promise((resolve) => opened.push(() => resolve({ rows: [{}] }))), {
    pipeline: true,
  })
  const batch = postgres(pool).batch([write('x', 1), write('y', 1)])
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(log, [BEGIN, write('x').text, write('y').text])
  for (const answer of opened.splice(0)) answer()
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(log.at(-1), 'commit')
  for (const answer of opened.splice(0)) answer()
  assert.equal((await batch).length, 2)
})

test('a count that is off is rolled back, and what is behind it is not run', async () => {
  for (const pipeline of [false, true]) {
    const { pool, log } = fakePool(
      (text) => {
        if (text === write('y').text) return serverError('23503', 'because x wrote nothing')
        return {}
      },
      { pipeline },
    )
    await assert.rejects(postgres(pool).batch([write('x', 1), write('y', 1)]), (error) => {
      return error instanceof GuardError && error.index === 0 && error.actual === 0
    })
    assert.deepEqual(log.slice(-2), ['rollback', 'released'])
    assert.equal(log.includes('commit'), false)
  }
})

test('COMMIT answered with ROLLBACK is no commit', async () => {
  const { pool } = fakePool((text) => (text === 'commit' ? { command: 'ROLLBACK' } : {}))
  await assert.rejects(postgres(pool).batch([write('x')]), (error) => {
    return error instanceof EngineError && error.fault === 'aborted-transaction'
  })
})

test('a connection lost at COMMIT leaves the outcome unknown, and is not used again', async () => {
  const { pool, log } = fakePool((text) => (text === 'commit' ? lost() : {}))
  await assert.rejects(postgres(pool).batch([write('x')]), unavailable('unknown'))
  assert.equal(log.at(-1), 'destroyed')
})

test('a connection lost before COMMIT has applied nothing', async () => {
  for (const at of [BEGIN, write('x').text]) {
    let gone = false
    const { pool, log } = fakePool((text) => {
      gone ||= text === at
      return gone ? lost() : {}
    })
    await assert.rejects(postgres(pool).batch([write('x')]), unavailable('no'))
    assert.equal(log.at(-1), 'destroyed')
  }
})

test('a single statement whose connection is lost may have been applied', async () => {
  const { pool } = fakePool(() => lost())
  await assert.rejects(postgres(pool).execute(write('x')), unavailable('unknown'))
})

test('no connection, nothing applied', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const { pool } = fakePool(() => refused)
  await assert.rejects(postgres(pool).execute(write('x')), unavailable('no'))
  const reset = { ...pool, on: () => {}, off: () => {}, connect: () => Promise.reject(lost()) }
  await assert.rejects(postgres(reset).batch([write('x')]), unavailable('no'))
})

test('deadlocks and serialization failures have applied nothing and are tried again', async () => {
  for (const code of ['40P01', '40001']) {
    let failures = 2
    const { pool, log } = fakePool((text) => {
      if (text.startsWith('update') && failures-- > 0) return serverError(code)
      return text.startsWith('update') ? { rows: [{}] } : {}
    })
    const driver = postgres(pool)
    assert.equal((await driver.batch([write('x', 1)])).length, 1)
    assert.deepEqual(
      log.filter((text) => text === 'rollback' || text === 'commit'),
      ['rollback', 'rollback', 'commit'],
    )
    failures = 1
    assert.equal((await driver.execute(write('x'))).length, 1)
  }
  let failures = 1
  const { pool } = fakePool((text) => (text === 'commit' && failures-- > 0 ? serverError('40001') : {}))
  await postgres(pool).batch([write('x')])
})

test('trying again has an end', async () => {
  const { pool } = fakePool((text) => (text.startsWith('update') ? serverError('40P01') : {}))
  const driver = postgres(pool, { waitAtMost: 1 })
  await assert.rejects(driver.execute(write('x')), unavailable('no'))
  await assert.rejects(driver.batch([write('x')]), unavailable('no'))
})

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

test('a SELECT that proves something has to lock what it reads', async () => {
  const { pool, log } = fakePool(() => ({ rows: [{}] }))
  const driver = postgres(pool)
  await assert.rejects(driver.batch([say('select 1 from t', [], 1)]), InvalidInputError)
  assert.deepEqual(log, [])
  await driver.batch([say('select 1 from t for no key update', [], 1)])
})

test("inside the caller's transaction each call is under a savepoint, one after the other", async () => {
  const { client, log } = fakePool((text) => {
    if (text.includes('nope')) return serverError('42703', 'column "nope" does not exist')
    return text.startsWith('update x') ? { rows: [{}] } : {}
  })
  const driver = postgres(client, { transaction: true })
  const [done, missing, short] = await Promise.allSettled([
    driver.execute(write('x')),
    postgres(client, { transaction: true }).execute(say('select nope')),
    driver.batch([write('x', 1), write('y', 1)]),
  ])
  assert.equal(done?.status, 'fulfilled')
  assert.ok(missing?.status === 'rejected' && missing.reason instanceof SchemaError)
  assert.ok(short?.status === 'rejected' && short.reason instanceof GuardError)
  const undone = ['rollback to savepoint rowlock', 'release savepoint rowlock']
  assert.deepEqual(log, [
    ...['savepoint rowlock', write('x').text, 'release savepoint rowlock'],
    ...['savepoint rowlock', 'select nope', ...undone],
    ...['savepoint rowlock', write('x').text, write('y').text, ...undone],
  ])
})

test("losing the connection inside the caller's transaction applies nothing", async () => {
  const { client } = fakePool((text) => (text.startsWith('savepoint') ? {} : lost()))
  const driver = postgres(client, { transaction: true })
  await assert.rejects(driver.execute(write('x')), unavailable('no'))
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
