import type { Driver, Statement } from '@rowlock/core'
import { createLiveness, type Liveness } from '@rowlock/core/liveness'
import { createOutbox } from '@rowlock/core/outbox'
import { type Actor, assert, type Finished } from '@rowlock/core/testing'
import type { Scenario } from './scenarios.ts'

const NOW = 1000
const livenessOn = (driver: Driver): Liveness =>
  createLiveness(driver, { downAfter: 100, every: 1000, repairEvery: 1, announceTo: ['ops'] })

const say = (text: string): Statement => ({ name: 'look', text, values: [] })

const check: Actor = async (driver) => {
  const outcome = await livenessOn(driver).check({ now: NOW })
  return outcome.ok ? `opened ${outcome.opened}, raced ${outcome.raced}` : outcome.reason
}

const beat: Actor = async (driver) => {
  const outcome = await livenessOn(driver).beat('tv', { now: NOW })
  if (!outcome.ok) return outcome.reason
  return outcome.closed === null ? 'beat' : 'beat, and back'
}

const remove: Actor = async (driver) => {
  const outcome = await livenessOn(driver).remove('tv', { now: NOW })
  if (!outcome.ok) return outcome.reason
  return outcome.closed === null ? 'removed' : 'removed while down'
}

async function setup(driver: Driver): Promise<void> {
  await createOutbox(driver).install()
  await livenessOn(driver).install()
  await livenessOn(driver).beat('tv', { register: {}, now: NOW - 100 })
}

const answersOf = ({ outcomes }: Finished) =>
  Object.values(outcomes).map((outcome) =>
    outcome.state === 'returned' ? String(outcome.value) : outcome.state,
  )

async function invariant(finished: Finished): Promise<void> {
  const { driver } = finished
  const [subject] = await driver.execute(say('select state from rowlock_subjects where deleted_at is null'))
  const rows = await driver.execute(say('select id, ended_at, end_reason from rowlock_downtimes'))
  const { messages } = await createOutbox(driver).list()
  const open = rows.filter((row) => row.ended_at === null)
  assert.equal(open.length, subject?.state === 'down' ? 1 : 0, `${subject?.state}: open rows`)
  assert.ok(rows.length <= 1, 'one silence, two outages')
  assert.equal(
    messages.map(({ dedupKey }) => dedupKey),
    rows.map(({ id }) => `down:${id}:ops`),
    'an alert for each outage',
  )
  const opened = answersOf(finished).filter((answer) => answer.startsWith('opened 1')).length
  assert.ok(opened <= rows.length, 'said that it opened, and did not')
  const settled = await livenessOn(driver).check({ now: NOW + 1 })
  assert.ok(settled.ok, 'the next check')
}

const observe = answersOf

export const livenessScenarios: Readonly<Record<string, Scenario>> = {
  checks: {
    actors: { one: check, other: check },
    crash: 'every',
    setup,
    invariant,
    observe,
    mustSee: ['opened 1, raced 0', 'opened 0, raced 0', 'unknown', 'killed'],
  },
  'check-and-beat': {
    actors: { check, beat },
    crash: 'every',
    setup,
    invariant,
    observe,
    mustSee: ['opened 1, raced 0', 'opened 0, raced 1', 'beat', 'beat, and back', 'unknown', 'killed'],
  },
  'check-and-remove': {
    actors: { check, remove },
    crash: 'every',
    setup,
    invariant,
    observe,
    mustSee: ['opened 1, raced 0', 'removed', 'removed while down', 'killed'],
  },
}
