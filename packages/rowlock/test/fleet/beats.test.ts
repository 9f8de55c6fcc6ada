import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, MINUTE, openHub, START, type TestHub } from '../hub.ts'
import { makeDevice, outages, pass, readDevice } from './given.ts'

type Json = Record<string, unknown>

async function beat(here: TestHub, body: unknown, query = ''): Promise<{ status: number; body: Json }> {
  const response = await here.app.request(`/api/beats${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${here.project.ingestKey}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Json }
}

test('one beat, and one of a device that is not known', async () => {
  const here = await openHub()
  await makeDevice(here, { id: 'a' })
  assert.deepEqual(await beat(here, { device: 'a', at: START - 90_000 }), {
    status: 200,
    body: { ok: true, device: 'a', closed: null },
  })
  const device = await readDevice(here, 'a')
  assert.deepEqual([device.state, device.beats, device.skewMs], ['up', 1, -90_000])
  const unknown = await beat(here, { device: 'b' })
  assert.deepEqual([unknown.status, unknown.body.code, unknown.body.field], [404, 'NOT_FOUND', 'device'])
  const wrong = await beat(here, { device: 'a', at: 'noon' })
  assert.deepEqual([wrong.status, wrong.body.field], [400, 'at'])
})

test('a gateway beats for many: each beat has its own answer', async () => {
  const here = await openHub()
  for (const id of ['a', 'b']) await makeDevice(here, { id })
  const { body } = await beat(here, [
    { device: 'a' },
    { device: 'zz' },
    { device: 'b', at: '2099-01-01' },
    {},
    'a',
    { device: 'a' },
    { device: 'b', at: 12 },
  ])
  assert.deepEqual([body.accepted, body.rejected, body.created, body.closed], [3, 4, 0, 0])
  assert.deepEqual(
    (body.items as Json[]).map((item) => (item.ok ? item.device : (item.error as Json).field)),
    ['a', 'device', 'b', 'device', 'beat', 'a', 'at'],
  )
  assert.equal((await readDevice(here, 'a')).beats, 2)
  const lines = await beat(here, '{"device":"a"}\nnot json\n{"device":"b"}\n')
  assert.deepEqual([lines.body.accepted, lines.body.rejected], [2, 1])
})

test('with create=1 devices are made by their first beat', async () => {
  const here = await openHub()
  const many = Array.from({ length: 1_200 }, (_, n) => ({ device: `d${n}` }))
  const first = await beat(here, many, '?create=1')
  assert.deepEqual([first.body.accepted, first.body.created], [1_200, 1_200])
  const again = await beat(here, many, '?create=1')
  assert.deepEqual([again.body.accepted, again.body.created], [1_200, 0])
  const device = await readDevice(here, 'd1199')
  assert.deepEqual([device.state, device.beats, device.periodMs], ['up', 2, 5 * MINUTE])
})

test('a beat ends an outage, and says which', async () => {
  const here = await openHub()
  await makeDevice(here, { id: 'a', period: '5m' })
  await makeDevice(here, { id: 'job', schedule: '0 * * * *', grace: '5m' })
  await beat(here, [{ device: 'a' }, { device: 'job' }])
  assert.equal((await readDevice(here, 'job')).deadlineAt, '2027-01-15T09:05:00.000Z')
  await pass(here, 10 * MINUTE, () => beat(here, { device: 'job' }))
  const { body } = await beat(here, [{ device: 'a' }, { device: 'a' }])
  const [first, second] = body.items as { closed: Json | null }[]
  const [outage] = await outages(here)
  assert.deepEqual([body.closed, first?.closed?.downtime, second?.closed], [1, outage?.id, null])
  assert.equal(first?.closed?.durationMs, 10 * MINUTE)
})

test('bodies that are no beats', async () => {
  const here = await openHub()
  for (const body of ['', '[]', '{', 'x']) assert.equal((await beat(here, body)).status, 400, body)
  const many = JSON.stringify(Array.from({ length: 5_001 }, () => ({ device: 'a' })))
  assert.equal((await beat(here, many)).status, 400)
  assert.equal((await beat(here, 'x'.repeat(1_048_577))).status, 413)
  assert.equal((await ask(here, 'GET /api/beats')).status, 405)
})
