import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import type { Driver, Statement } from '@rowlock/core'
import { type CheckOutcome, createLiveness, type Liveness } from '@rowlock/core/liveness'
import { createOutbox } from '@rowlock/core/outbox'
import { type ExploreReport, type Finished, overlap } from '@rowlock/core/testing'
import { overlapDatabase } from './connect.ts'

/** Every two verbs of liveness in transactions that overlap. */

const database = await overlapDatabase()
after(() => database.drop())

const NOW = 1000
const options = {
  downAfter: 100,
  every: 1000,
  repairEvery: 1000,
  announceTo: ['ops'],
  mass: { share: 1, least: 1000, holdTicks: 0 },
}
const TABLES = ['outbox', 'subjects', 'downtimes', 'checks', 'checker', 'blind'].map(
  (name) => `rowlock_${name}`,
)

const say = (text: string): Statement => ({ name: 'setup', text, values: [] })

let installed: Promise<void> | undefined

/** `a` and `b` are due; `d` has been down for long. */
async function setup(driver: Driver): Promise<void> {
  const liveness = createLiveness(driver, options)
  installed ??= createOutbox(driver)
    .install()
    .then(() => liveness.install())
  await installed
  await driver.execute(say(`truncate ${TABLES.join(', ')} restart identity`))
  await liveness.beat('d', { register: {}, now: 10 })
  await liveness.check({ now: 500 })
  await driver.execute(say(`update rowlock_outbox set state = 'sent', token = 1, finished_at = 500`))
  for (const id of ['a', 'b']) await liveness.beat(id, { register: {}, now: NOW - 100 })
}

const ids = (...all: string[]) => all.map((id) => ({ id }))

const verbs: Record<string, (liveness: Liveness) => Promise<unknown>> = {
  check: (liveness) => liveness.check({ now: NOW }),
  'beat a': (liveness) => liveness.beat('a', { now: NOW }),
  'beat d': (liveness) => liveness.beat('d', { now: NOW }),
  'beat many': (liveness) => liveness.beatMany(ids('a', 'b', 'd'), { now: NOW }),
  'beat many in the opposite order': (liveness) => liveness.beatMany(ids('d', 'b', 'a'), { now: NOW }),
  'fail a': (liveness) => liveness.fail('a', { now: NOW }),
  'pause d': (liveness) => liveness.pause('d', { now: NOW }),
  'remove a': (liveness) => liveness.remove('a', { now: NOW }),
  'remove d': (liveness) => liveness.remove('d', { now: NOW }),
  'register a': (liveness) => liveness.register('a', { downAfter: 200, now: NOW }),
}

const names = Object.keys(verbs)

function together(
  one: string,
  other: string,
  orders: number,
): Promise<ExploreReport & { readonly waited: number }> {
  const actor = (name: string) => (driver: Driver) => verbs[name]!(createLiveness(driver, options))
  return overlap({
    connect: database.connect,
    setup,
    // A check is fifteen statements: two of them have more orders than can be run.
    sample: orders,
    actors: { one: actor(one), other: actor(other) },
    invariant: (finished) => check(finished, { one, other }),
  })
}

async function check(finished: Finished, actors: Record<string, string>): Promise<void> {
  const { driver } = finished
  const subjects = await driver.execute(
    say('select id, state from rowlock_subjects where deleted_at is null'),
  )
  const downtimes = await driver.execute(say('select * from rowlock_downtimes'))
  for (const { id, state } of subjects) {
    const open = downtimes.filter((row) => row.subject_id === id && row.ended_at === null)
    assert.equal(open.length, state === 'down' ? 1 : 0, `${id} is ${state} with ${open.length} open rows`)
  }
  for (const { subject_id: subject, ended_at: ended } of downtimes) {
    assert.ok(
      ended !== null || subjects.some(({ id }) => id === subject),
      `${subject} is gone, its row is open`,
    )
  }
  const told = (verb: string) =>
    Object.entries(actors).flatMap(([name, each]) => {
      const outcome = finished.outcomes[name]!
      return each.startsWith(verb) && outcome.state === 'returned' ? [outcome.value] : []
    }) as Record<string, unknown>[]
  const checks = told('check') as unknown as CheckOutcome[]
  const opened = checks.reduce((sum, outcome) => sum + (outcome.ok ? outcome.opened : 0), 0)
  const failed = told('fail').filter((outcome) => outcome.ok && outcome.opened !== null).length
  assert.equal(opened + failed, downtimes.length - 1, 'opened, said and written')
  const closed = [...told('beat a'), ...told('beat d'), ...told('pause'), ...told('remove')].filter(
    (outcome) => outcome.ok && outcome.closed !== null,
  ).length
  const many = told('beat many').flatMap((outcome) => outcome.closed).length
  const byChecks = checks.reduce((sum, outcome) => sum + (outcome.ok ? outcome.closed : 0), 0)
  const ended = downtimes.filter((row) => row.ended_at !== null).length
  assert.equal(closed + many + byChecks, ended, 'closed, said and written')
  const { messages } = await createOutbox(driver).list()
  for (const row of downtimes) {
    const down = messages.filter(({ dedupKey }) => dedupKey === `down:${row.id}:ops`)
    const up = messages.filter(({ dedupKey }) => dedupKey === `up:${row.id}:ops`)
    assert.equal(down.length, 1, 'one alert for each outage')
    const isTold = row.ended_at !== null && row.end_reason !== 'removed' && down[0]!.state !== 'cancelled'
    assert.equal(up.length, isTold ? 1 : 0, `${row.end_reason}, ${down[0]!.state}`)
  }
}

/** Every two verbs, in so many drawn orders of their statements. */
export async function everyTwoVerbs(context: TestContext, orders: number): Promise<void> {
  const tally = { pairs: 0, orders: 0, waited: 0 }
  for (const [index, one] of names.entries()) {
    for (const other of names.slice(index)) {
      const report = await together(one, other, orders).catch((error) => {
        throw new Error(`${one} and ${other}: ${error.message}`, { cause: error })
      })
      tally.pairs += 1
      tally.orders += report.schedules
      tally.waited += report.waited
    }
  }
  assert.ok(tally.waited > 0, 'nobody ever waited')
  context.diagnostic(
    `${tally.pairs} pairs, ${tally.orders} orders, in ${tally.waited} somebody waited, 0 violations`,
  )
}
