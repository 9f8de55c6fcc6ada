import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@rowlock/core'
import { statement } from '@rowlock/core/module'
import { alertDestinations } from '../../src/deliveries/statements/alerts.ts'
import { ask, openHub } from '../hub.ts'
import { destination } from './receiver.ts'
import { deliver, fallSilent, livenessOf, told } from './watched.ts'

const url = (name: string) => `https://hooks.example.com/${name}`

test('a destination gets the outages of its project, or of the devices with one of its tags', async () => {
  const here = await openHub()
  const { body } = await ask(here, 'POST /api/projects', { name: 'other' })
  await destination(here, { url: url('all') })
  await destination(here, { url: url('third'), tags: ['floor-3'] })
  await destination(here, { url: url('both'), tags: ['floor-3', 'floor-4'], only: 'outages' })
  await destination(here, { url: url('nobody'), tags: ['floor'] })
  await destination(here, { url: url('issues'), only: 'issues' })
  await destination(here, { url: url('elsewhere'), project: body.id })
  const off = await destination(here, { url: url('off') })
  await ask(here, `PATCH /api/destinations/${off}`, { enabled: false })
  const gone = await destination(here, { url: url('gone') })
  await ask(here, `DELETE /api/destinations/${gone}`)
  await fallSilent(here, livenessOf(here), {
    a: ['lobby', 'floor-3'],
    b: ['floor-4'],
    c: ['floor-33'],
    d: [],
  })
  await deliver(here)
  assert.deepEqual(told(here), [
    'subject.down a all',
    'subject.down a both',
    'subject.down a third',
    'subject.down b all',
    'subject.down b both',
    'subject.down c all',
    'subject.down d all',
  ])
  await fallSilent(here, livenessOf(here, { project: Number(body.id) }), { a: ['floor-3'] })
  await deliver(here)
  assert.deepEqual(told(here), ['subject.down a elsewhere'])
})

test('tags are compared as they are, whatever is in them', async () => {
  for (const tag of ['在庫', `a"b'c`, '%', 'a,b', '\\', '[]', 'Floor-3', '🪟']) {
    const here = await openHub()
    await destination(here, { url: url('tagged'), tags: [tag] })
    await fallSilent(here, livenessOf(here), { with: ['x', tag], without: ['x', 'floor-3', '_', 'a'] })
    await deliver(here)
    assert.deepEqual(told(here), ['subject.down with tagged'], tag)
  }
})

test('taking a tag off widens what a destination gets, from the next outage on', async () => {
  const here = await openHub()
  const id = await destination(here, { url: url('a'), tags: ['floor-3'] })
  await fallSilent(here, livenessOf(here), { one: [] })
  await ask(here, `PATCH /api/destinations/${id}`, { tags: [] })
  await fallSilent(here, livenessOf(here), { two: [] })
  await deliver(here)
  assert.deepEqual(told(here), ['subject.down two a'])
})

test('joined with a few outages it looks those devices up, and reads no other', async () => {
  const here = await openHub()
  const { driver } = here.hub.ground
  const { text } = statement(
    driver.dialect,
    sql`select a.destination from rowlock_downtimes t
      join (${alertDestinations(driver.dialect)}) a on a.scope = t.scope and a.subject_id = t.subject_id
      where t.ended_at is null`,
    { name: 'plan' },
  )
  const plan = here.database
    .prepare(`explain query plan ${text}`)
    .all()
    .map(({ detail }) => String(detail))
  const devices = plan.filter((line) => /\bs\b/.test(line))
  assert.equal(devices.length, 1)
  assert.match(String(devices[0]), /^SEARCH s USING INDEX \S+ \(scope=\? AND id=\?\)$/)
})
