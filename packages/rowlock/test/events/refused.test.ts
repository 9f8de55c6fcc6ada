import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Driver, Statement } from '@rowlock/core'
import { EngineError, UnavailableError } from '@rowlock/core'
import { ask, openHub, rows, START, send } from '../hub.ts'

const event = { source: 'shop', message: 'the printer is out of paper' }

/** A database that will not take an event whose JSON holds the word. */
function allergicTo(word: string): (driver: Driver) => Driver {
  const refuses = ({ name, values }: Statement) =>
    name === 'events.see' && values.some((value) => typeof value === 'string' && value.includes(word))
  return (driver) => ({
    ...driver,
    async batch(statements) {
      if (statements.some(refuses)) throw new EngineError('other', `no ${word}, please`)
      return await driver.batch(statements)
    },
  })
}

test('an event that the database refuses is put aside with the reason, and its neighbours are kept', async () => {
  const here = await openHub({ around: allergicTo('poison') })
  const ids = ['a', 'b', 'poison-1', 'c', 'd', 'poison-2', 'e']
  const { status, body } = await send(
    here,
    ids.map((id) => ({ ...event, id })),
  )
  assert.equal(status, 200)
  assert.deepEqual([body.accepted, body.rejected, body.won], [5, 2, 1])
  const items = body.items as { accepted: boolean; error?: { code: string } }[]
  assert.deepEqual(
    items.map(({ accepted }) => accepted),
    [true, true, false, true, true, false, true],
  )
  assert.equal(items[2]?.error?.code, 'REJECTED')
  assert.deepEqual(rows(here, 'select count from rowlock_issues'), [{ count: 5 }])
  const rejected = rows(here, 'select project, event, reason from rowlock_rejected order by number')
  assert.deepEqual(
    rejected.map(({ reason }) => reason),
    ['no poison, please', 'no poison, please'],
  )
  assert.equal(JSON.parse(String(rejected[0]?.event)).id, 'poison-1')

  const listed = await ask(here, 'GET /api/rejected?limit=1')
  const [last] = listed.body.rejected as { event: { id: string }; rejectedAt: string }[]
  assert.deepEqual([last?.event.id, last?.rejectedAt], ['poison-2', new Date(START).toISOString()])
  const before = await ask(here, `GET /api/rejected?cursor=${listed.body.next}`)
  assert.equal((before.body.rejected as object[]).length, 1)
  assert.equal((await ask(here, 'GET /api/rejected?cursor=x')).status, 400)
})

test('one refused event alone is a 422', async () => {
  const here = await openHub({ around: allergicTo('poison') })
  const { status, body } = await send(here, { ...event, id: 'poison' })
  assert.deepEqual([status, body.code], [422, 'REJECTED'])
})

test('when the database takes nothing at all, no event is blamed', async () => {
  const here = await openHub({
    around: (driver) => ({
      ...driver,
      async batch(statements) {
        if (statements[0]?.name === 'events.see') throw new EngineError('other', 'the disk is full')
        return await driver.batch(statements)
      },
      async execute(statement) {
        if (statement.name === 'events.reject') throw new EngineError('other', 'the disk is full')
        return await driver.execute(statement)
      },
    }),
  })
  const { status, body } = await send(here, event)
  assert.deepEqual([status, body.code], [500, 'INTERNAL'])
  assert.match(here.problems.join(), /the disk is full/)
})

test('NUL and lone surrogates in the middle of a group are cleaned, and nothing else is touched', async () => {
  const here = await openHub()
  const odd = `[{"message":"before 1"},{"message":"a\\u0000b \\ud800 c","source":"x\\u0000","note":"\\udfff"},{"message":"after 1"}]`
  const { status, body } = await send(here, odd)
  assert.deepEqual([status, body.accepted], [200, 3])
  const [issue] = rows(here, `select title, source from rowlock_issues where source <> 'unknown'`)
  assert.deepEqual(issue, { title: 'a b \uFFFD c', source: 'x\uFFFD' })
  const [sample] = rows(
    here,
    `select event from rowlock_samples where event like '%before%' is false and event like '%note%'`,
  )
  assert.equal(JSON.parse(String(sample?.event)).note, '\uFFFD')
})

test('an id with a NUL is that event’s own error', async () => {
  const here = await openHub()
  const { body } = await send(here, [
    { ...event, id: 'a\0b' },
    { ...event, id: 'fine' },
  ])
  assert.deepEqual([body.accepted, body.rejected], [1, 1])
})

test('a lost acknowledgement is asked again: counted once, and the win is still the sender’s', async () => {
  for (const lost of ['before', 'after'] as const) {
    let losses = 2
    const runs = new Set<unknown>()
    const here = await openHub({
      around: (driver) => ({
        ...driver,
        async batch(statements) {
          if (statements[0]?.name !== 'events.see') return await driver.batch(statements)
          runs.add(statements[0].values.find((value) => /^[0-9a-f-]{36}$/.test(String(value))))
          if (losses === 0) return await driver.batch(statements)
          losses -= 1
          if (lost === 'after') await driver.batch(statements)
          throw new UnavailableError('the connection is gone', lost === 'after' ? 'unknown' : 'no')
        },
      }),
    })
    await ask(here, 'POST /api/destinations', { project: 1, url: 'https://hooks.example.com/a' })
    const { body } = await send(here, [{ ...event, id: 'a' }, event])
    assert.deepEqual([body.accepted, body.duplicates, body.won], [2, 0, 1], lost)
    assert.deepEqual(rows(here, 'select count from rowlock_issues'), [{ count: 2 }], lost)
    assert.deepEqual(rows(here, 'select count(*) as count from rowlock_outbox'), [{ count: 1 }], lost)
    assert.equal(runs.size, 3, 'every attempt has a run of its own')
  }
})

test('when it cannot be asked at all, the sender is told to come again', async () => {
  const here = await openHub({
    around: (driver) => ({
      ...driver,
      async batch(statements) {
        if (statements[0]?.name === 'events.see') throw new UnavailableError('no database', 'no')
        return await driver.batch(statements)
      },
    }),
  })
  const { status, body, headers } = await send(here, event)
  assert.deepEqual([status, body.code, body.retryable], [503, 'UNAVAILABLE', true])
  assert.ok(headers.has('retry-after'))
})
