import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Driver } from '@rowlock/core'
import { ask, openHub, rows, START, send } from '../hub.ts'

const event = { source: 'shop', level: 'error', message: 'payment failed for order 7' }

test('one event is counted, wins, and is answered with its issue', async () => {
  const here = await openHub()
  const { status, body } = await send(here, { ...event, id: 'e1' })
  assert.equal(status, 200)
  const { issue, ...rest } = body
  assert.deepEqual(rest, { accepted: true, id: 'e1', duplicate: false, won: true, count: 1 })
  assert.match(String(issue), /^1-[0-9a-f]{32}$/)
  assert.deepEqual(rows(here, 'select count, first_seen, last_seen, state from rowlock_issues'), [
    { count: 1, first_seen: START, last_seen: START, state: 'open' },
  ])
})

test('an array is answered one by one; what is wrong with one is its own answer', async () => {
  const here = await openHub()
  const { status, body } = await send(here, [
    { ...event, id: 'a' },
    { ...event, id: 'b', level: 'loud' },
    'not an object',
    { ...event, id: 'c', message: 'payment failed for order 8' },
    { source: 'shop' },
  ])
  assert.equal(status, 200)
  assert.deepEqual(
    { accepted: body.accepted, rejected: body.rejected, won: body.won, duplicates: body.duplicates },
    { accepted: 2, rejected: 3, won: 1, duplicates: 0 },
  )
  const items = body.items as {
    accepted: boolean
    won?: boolean
    count?: number
    error?: { field?: string }
  }[]
  assert.deepEqual(
    items.map(({ accepted, won, count, error }) => [accepted, won, count, error?.field]),
    [
      [true, true, 2, undefined],
      [false, undefined, undefined, 'level'],
      [false, undefined, undefined, 'event'],
      [true, false, 2, undefined],
      [false, undefined, undefined, 'message'],
    ],
  )
})

test('lines of JSON are told by their content type, or by looking', async () => {
  const lines = `${JSON.stringify({ ...event, id: 'a' })}\n\n{"broken": \n${JSON.stringify({ ...event, id: 'b' })}\r\n`
  for (const headers of [{ 'content-type': 'application/x-ndjson' }, { 'content-type': 'text/plain' }]) {
    const here = await openHub()
    const { status, body } = await send(here, lines, headers)
    assert.equal(status, 200)
    assert.deepEqual([body.accepted, body.rejected], [2, 1])
    assert.equal(rows(here, 'select count from rowlock_issues')[0]?.count, 2)
  }
})

test('an id counts once: in one request, in two, and not across projects', async () => {
  const here = await openHub()
  const first = await send(here, [
    { ...event, id: 'same' },
    { ...event, id: 'same' },
  ])
  assert.deepEqual([first.body.accepted, first.body.duplicates], [2, 1])
  const again = await send(here, { ...event, id: 'same' })
  assert.deepEqual([again.body.duplicate, again.body.won, again.body.count], [true, false, 1])

  const other = await here.hub.projects.add('other', { window: '1h' })
  const [answer] = await here.hub.events.accept(other, [{ ...event, id: 'same' }])
  assert.deepEqual(answer?.accepted && [answer.duplicate, answer.won, answer.count], [false, true, 1])
})

test('an event that was sent again does not win the next window', async () => {
  const here = await openHub()
  await send(here, { ...event, id: 'once' })
  here.now += 2 * 3_600_000
  const again = await send(here, { ...event, id: 'once' })
  assert.deepEqual([again.body.duplicate, again.body.won], [true, false])
  assert.equal((await send(here, { ...event, id: 'twice' })).body.won, true)
})

test('the first event, the last twenty and those that reopen an issue are kept, without secrets', async () => {
  const here = await openHub()
  for (let n = 1; n <= 45; n++) {
    here.now += 1
    await send(here, { ...event, id: `e${n}`, password: 'hunter2', note: `token=abc123 n=${n}` })
  }
  const [{ id: issue }] = rows(here, 'select id from rowlock_issues') as [{ id: string }]
  const { body } = await ask(here, `GET /api/issues/${issue}`)
  const samples = body.samples as { kind: string; id: string; event: Record<string, unknown> }[]
  assert.deepEqual(
    samples.map(({ kind, id }) => `${kind} ${id}`),
    [...Array.from({ length: 20 }, (_, back) => `latest e${45 - back}`), 'first e1'],
  )
  assert.equal(samples[0]?.event.password, '[left out]')
  assert.equal(samples[0]?.event.note, 'token=[left out] n=45')

  await ask(here, `POST /api/issues/${issue}/resolve`)
  here.now += 6_000
  await send(here, { ...event, id: 'back' })
  const after = await ask(here, `GET /api/issues/${issue}`)
  const kinds = (after.body.samples as { kind: string; id: string }[]).filter(({ id }) => id === 'back')
  assert.deepEqual(kinds.map(({ kind }) => kind).sort(), ['latest', 'reopening'])
})

test('a group of more events than are kept keeps the first and the last twenty of them', async () => {
  const here = await openHub()
  await send(
    here,
    Array.from({ length: 50 }, (_, n) => ({ ...event, id: `e${n}` })),
  )
  const kept = rows(here, 'select slot, event_id from rowlock_samples order by slot')
  assert.deepEqual(kept[0], { slot: 0, event_id: 'e0' })
  assert.deepEqual(
    kept
      .slice(1)
      .map((row) => row.event_id)
      .sort(),
    Array.from({ length: 20 }, (_, n) => `e${n + 30}`),
  )
})

test('hours are counted by the time of the event', async () => {
  const here = await openHub()
  const hour = 3_600_000
  await send(here, [
    { ...event, at: START - hour },
    { ...event, at: START - hour + 1 },
    { ...event, at: new Date(START).toISOString() },
    { ...event, at: START + 61_000 },
    { ...event, at: START + 59_000 },
  ])
  assert.deepEqual(rows(here, 'select hour, count from rowlock_hours order by hour'), [
    { hour: START - hour, count: 2 },
    { hour: START, count: 3 },
  ])
  assert.deepEqual(rows(here, 'select first_seen, last_seen, count from rowlock_issues'), [
    { first_seen: START - hour, last_seen: START + 59_000, count: 5 },
  ])
})

test('requests of one moment share a commit, and each gets its own answer', async () => {
  const here = await openHub({ grouped: true })
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, n) =>
      send(here, { ...event, message: `kind ${'abcd'[n % 4]}`, id: `e${n}` }),
    ),
  )
  assert.deepEqual(
    answers.map(({ body }) => body.id),
    Array.from({ length: 64 }, (_, n) => `e${n}`),
  )
  assert.equal(answers.filter(({ body }) => body.won).length, 4)
  assert.ok(here.hub.metrics.read('event_groups_total') < 10)
  assert.equal(here.hub.metrics.read('events_accepted_total'), 64)
  assert.deepEqual(
    rows(here, 'select count from rowlock_issues').map((row) => row.count),
    [16, 16, 16, 16],
  )
})

test('too many waiting events are turned away before their body is read', async () => {
  const gate = Promise.withResolvers<void>()
  const around = (driver: Driver): Driver => ({
    ...driver,
    batch: async (statements) => {
      if (statements[0]?.name === 'events.see') await gate.promise
      return await driver.batch(statements)
    },
  })
  const here = await openHub({ grouped: true, flags: { 'max-queue': 2 }, around })
  const waiting = send(here, [event, event])
  while (here.hub.events.waiting < 2) await new Promise(setImmediate)

  const shed = await send(here, '{ this is not even JSON')
  assert.equal(shed.status, 429)
  assert.match(shed.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal(shed.body.code, 'TOO_MANY_REQUESTS')
  assert.equal(shed.headers.get('access-control-allow-origin'), '*')

  gate.resolve()
  assert.equal((await waiting).body.accepted, 2)
  assert.equal((await send(here, event)).body.count, 3)
})
