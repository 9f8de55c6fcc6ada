import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, HOUR, MINUTE, openHub, rows, send, type TestHub } from '../hub.ts'

const event = { source: 'shop', message: 'stock ran out' }

async function wins(here: TestHub, at?: number): Promise<boolean> {
  return (await send(here, { ...event, ...(at === undefined ? {} : { at }) })).body.won as boolean
}

async function issueOf(here: TestHub): Promise<Record<string, unknown>> {
  const { body } = await ask(here, 'GET /api/issues')
  return (body.issues as Record<string, unknown>[])[0]!
}

test('one win per window: at its exact end it is still held, a millisecond later it is free', async () => {
  const here = await openHub()
  assert.equal(await wins(here), true)
  here.now += HOUR
  assert.equal(await wins(here), false)
  here.now += 1
  assert.equal(await wins(here), true)
  assert.equal(await wins(here), false)
})

test('an event every second for three windows: exactly three wins', async () => {
  const here = await openHub({ flags: { window: '1m' } })
  let won = 0
  for (let second = 0; second < 180; second++) {
    if (await wins(here)) won += 1
    here.now += 1_000
  }
  assert.equal(won, 3)
  assert.equal((await issueOf(here)).count, 180)
})

test('windows follow the server’s clock, never the event’s', async () => {
  const here = await openHub()
  assert.equal(await wins(here, here.now - 30 * 24 * HOUR), true)
  assert.equal(await wins(here), false)
  assert.equal(await wins(here, here.now + 30 * 24 * HOUR), false)
})

test('each project has its own cool-down, also in one group', async () => {
  const here = await openHub()
  const quick = await here.hub.projects.add('quick', { window: '1m' })
  const both = async () => {
    const [slow] = await here.hub.events.accept(here.project, [event])
    const [fast] = await here.hub.events.accept(quick, [event])
    return [slow, fast].map((answer) => answer?.accepted && answer.won)
  }
  assert.deepEqual(await both(), [true, true])
  here.now += 2 * MINUTE
  assert.deepEqual(await both(), [false, true])
})

test('a resolved issue that happens again opens once, with a new generation, and wins at once', async () => {
  const here = await openHub()
  await wins(here)
  const { id } = await issueOf(here)
  here.now += MINUTE
  await ask(here, `POST /api/issues/${id}/resolve`)
  here.now += 5_000
  assert.equal(await wins(here), false, 'exactly five seconds later is not later')
  assert.equal((await issueOf(here)).state, 'resolved')
  here.now += 1
  const both = await send(here, [event, event])
  assert.equal(both.body.won, 1)
  const issue = await issueOf(here)
  assert.deepEqual([issue.state, issue.generation, issue.count], ['open', 2, 4])
})

test('an old event does not reopen a resolved issue; it is counted', async () => {
  const here = await openHub()
  await wins(here)
  const { id } = await issueOf(here)
  await ask(here, `POST /api/issues/${id}/resolve`)
  here.now += HOUR
  assert.equal(await wins(here, here.now - HOUR), false)
  const issue = await issueOf(here)
  assert.deepEqual([issue.state, issue.generation, issue.count], ['resolved', 1, 2])
})

test('ignored issues are counted in silence', async () => {
  const here = await openHub()
  await wins(here)
  const { id } = await issueOf(here)
  await ask(here, `POST /api/issues/${id}/ignore`)
  here.now += 2 * HOUR
  assert.equal(await wins(here), false)
  assert.equal((await issueOf(here)).count, 2)
  await ask(here, `POST /api/issues/${id}/reopen`)
  assert.equal(await wins(here), true)
})

test('a snoozed issue is silent until its time is over, and then opens by itself', async () => {
  const here = await openHub()
  await wins(here)
  const { id } = await issueOf(here)
  const { body } = await ask(here, `POST /api/issues/${id}/snooze`, { for: '1d' })
  assert.deepEqual([body.state, body.snoozedUntil], ['snoozed', new Date(here.now + 24 * HOUR).toISOString()])
  here.now += 23 * HOUR
  assert.equal(await wins(here), false)
  here.now += HOUR
  assert.equal(await wins(here), true)
  const issue = await issueOf(here)
  assert.deepEqual([issue.state, issue.snoozedUntil, issue.generation], ['open', null, 1])
})

test('a win touches nothing that later work has written', async () => {
  const here = await openHub()
  await wins(here)
  here.database.exec(`update rowlock_issues set classification = 'network', external_id = 'GH-12'`)
  here.now += 2 * HOUR
  assert.equal(await wins(here), true)
  const [row] = rows(here, 'select classification, external_id, count, title from rowlock_issues')
  assert.deepEqual(row, { classification: 'network', external_id: 'GH-12', count: 2, title: 'stock ran out' })
})
