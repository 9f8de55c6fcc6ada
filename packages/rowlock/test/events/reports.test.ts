import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '../../src/deliveries/send.ts'
import { ask, HOUR, MINUTE, openHub, rows, send, type TestHub } from '../hub.ts'

// What users of other tools have reported, by essence. Each is a kind of bug, not one instance.

const event = { source: 'shop', message: 'stock ran out' }

async function withDestination(grouped = false): Promise<TestHub> {
  const here = await openHub({ grouped })
  await ask(here, 'POST /api/destinations', { project: 1, url: 'https://tracker.example.com/tickets' })
  return here
}

test('three tickets for one kind of trouble within a second', async () => {
  const here = await withDestination(true)
  await Promise.all(Array.from({ length: 3 }, () => send(here, event)))
  await here.hub.courier.round()
  assert.equal(here.posts.length, 1)
})

test('a second sender comes while the ticket of the first is being made', async () => {
  const here = await withDestination()
  await send(here, event)
  const gate = Promise.withResolvers<Reply>()
  here.reply = () => gate.promise
  const [underWay] = await here.hub.courier.begin(10)
  here.now += 30_000
  assert.equal((await send(here, event)).body.won, false)
  assert.deepEqual(await here.hub.courier.begin(10), [])
  gate.resolve({ status: 201, retryAfter: null })
  await underWay
  assert.deepEqual(rows(here, 'select state from rowlock_outbox'), [{ state: 'sent' }])
})

test('a tracker that is down for ten minutes gets one ticket, not one for each attempt', async () => {
  const here = await withDestination()
  here.reply = () => ({ status: 503, retryAfter: null })
  const end = here.now + 10 * MINUTE
  while (here.now < end) {
    await send(here, event)
    await here.hub.courier.round()
    here.now += 5_000
  }
  assert.ok(here.posts.length > 3, 'it was tried again and again')
  here.reply = () => ({ status: 201, retryAfter: null })
  here.now += HOUR / 2
  await here.hub.courier.round()
  assert.deepEqual(rows(here, 'select state, count(*) as rows from rowlock_outbox group by state'), [
    { state: 'sent', rows: 1 },
  ])
  assert.equal(new Set(here.posts.map(({ headers }) => headers['webhook-id'])).size, 1)
})

test('a ticket was closed, the trouble comes back, and nobody is told', async () => {
  const here = await withDestination()
  await send(here, event)
  await here.hub.courier.round()
  const [issue] = rows(here, 'select id from rowlock_issues')
  await ask(here, `POST /api/issues/${issue?.id}/resolve`)
  here.now += MINUTE
  assert.equal((await send(here, event)).body.won, true, 'within the cool-down of the first')
  await here.hub.courier.round()
  const notices = here.posts.map(({ body }) => JSON.parse(body).data)
  assert.deepEqual(
    notices.map(({ reopened, generation }) => [reopened, generation]),
    [
      [0, 1],
      [1, 2],
    ],
  )
})

test('100 KB of digits stop nothing', { timeout: 30_000 }, async () => {
  const here = await openHub()
  const digits = '9'.repeat(100_000)
  const { body } = await send(here, [
    { message: digits },
    {
      exception: {
        type: digits,
        value: digits,
        stacktrace: { frames: [{ function: digits, filename: digits }] },
      },
    },
    { fingerprint: digits, message: 'x' },
    { ...event, source: digits },
    event,
  ])
  assert.deepEqual([body.accepted, body.rejected], [5, 0])
  const [longest] = rows(
    here,
    'select max(length(title)) as title, max(length(source)) as source, max(length(id)) as id from rowlock_issues',
  )
  assert.deepEqual(longest, { title: 200, source: 201, id: 34 })
})

test('events wait, nothing is written, and the hub says that it is fine', async () => {
  const gate = Promise.withResolvers<void>()
  const here = await openHub({
    grouped: true,
    around: (driver) => ({
      ...driver,
      async batch(statements) {
        if (statements[0]?.name === 'events.see') await gate.promise
        return await driver.batch(statements)
      },
    }),
  })
  const waiting = send(here, event)
  while (here.hub.events.waiting === 0) await new Promise(setImmediate)
  here.now += 30_001
  const { status, body } = await ask(here, 'GET /readyz', undefined, null)
  assert.equal(status, 503)
  assert.deepEqual(
    (body.checks as { name: string; ok: boolean }[]).filter(({ ok }) => !ok).map(({ name }) => name),
    ['events'],
  )
  gate.resolve()
  assert.equal((await waiting).status, 200)
  assert.equal((await ask(here, 'GET /readyz', undefined, null)).status, 200)
})
