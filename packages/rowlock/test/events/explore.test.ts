import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Driver, sql } from '@rowlock/core'
import { statement } from '@rowlock/core/module'
import { type Actor, explore, type Finished } from '@rowlock/core/testing'
import { readConfig } from '../../src/config/index.ts'
import type { Answer } from '../../src/events/types.ts'
import { createHub, type Hub } from '../../src/hub.ts'

const NOW = 1_800_000_000_000
const HOUR = 3_600_000
const { config } = readConfig({ flags: { window: '1h' } })
const project = { id: 1, windowMs: HOUR }

const hubOn = (driver: Driver, now = NOW): Hub => createHub({ driver, config, clock: () => now })
const events = (ids: readonly string[]) => ids.map((id) => ({ id, message: 'stock ran out' }))
const sender =
  (ids: readonly string[], now = NOW): Actor =>
  (driver) =>
    hubOn(driver, now).events.accept(project, events(ids))

async function setup(driver: Driver): Promise<void> {
  const hub = hubOn(driver)
  await hub.install({ firstToken: null })
  await hub.destinations.add(1, { url: 'https://hooks.example.com/a' })
}

async function look(
  driver: Driver,
): Promise<{ count: number; seen: number; notices: number; hours: number; state: string }> {
  const one = sql`select coalesce((select sum(count) from rowlock_issues), 0) as count, (select count(*) from rowlock_seen) as seen,
    (select count(*) from rowlock_outbox) as notices, coalesce((select sum(count) from rowlock_hours), 0) as hours,
    (select max(state) from rowlock_issues) as state`
  const [row] = await driver.execute(statement(driver.dialect, one, { name: 'test.look' }))
  return row as never
}

function answers({ outcomes }: Finished): Answer[] {
  return Object.values(outcomes).flatMap((outcome) =>
    outcome.state === 'returned' && Array.isArray(outcome.value) ? (outcome.value as Answer[]) : [],
  )
}

const accepted = (finished: Finished) => answers(finished).filter((answer) => answer.accepted)
const killed = ({ outcomes }: Finished) => Object.values(outcomes).some(({ state }) => state === 'killed')

/** What must hold whoever died where: nothing half written, nothing acknowledged and lost, one win. */
async function exact(finished: Finished, distinct: number): Promise<void> {
  const { count, seen, notices, hours } = await look(finished.driver)
  assert.equal(count, seen)
  assert.equal(hours, seen)
  assert.ok(new Set(accepted(finished).map(({ id }) => id)).size <= seen)
  assert.ok(notices <= 1)
  const wins = accepted(finished).filter(({ won }) => won).length
  if (!killed(finished)) {
    assert.equal(seen, distinct)
    assert.equal(wins, 1)
    assert.equal(accepted(finished).filter(({ duplicate }) => !duplicate).length, distinct)
  }
  assert.ok(wins <= 1)
  if (seen > 0) assert.equal(notices, 1)
}

/** Whoever got no answer sends again: then every event is counted once. */
async function resent(finished: Finished, ids: readonly string[]): Promise<void> {
  await hubOn(finished.driver).events.accept(project, events(ids))
  const { count, notices } = await look(finished.driver)
  assert.deepEqual([count, notices], [ids.length, 1])
}

test('two senders with an event in common, a crash at every statement: exact counts, one win, one notice', async (context) => {
  const report = await explore({
    actors: { alice: sender(['a', 'both']), bob: sender(['both', 'c']) },
    setup,
    crash: 'every',
    observe(finished) {
      const labels = [killed(finished) ? 'killed' : 'alive']
      if (accepted(finished).some(({ duplicate }) => duplicate)) labels.push('duplicate')
      if (finished.trace.some(({ crash }) => crash?.at === 'after' && crash.fate === 'lost'))
        labels.push('answer lost')
      return labels
    },
    mustSee: ['killed', 'alive', 'duplicate', 'answer lost'],
    async invariant(finished) {
      await exact(finished, 3)
      await resent(finished, ['a', 'both', 'c'])
    },
  })
  context.diagnostic(JSON.stringify(report))
  assert.ok(report.crashes > 0)
})

test('a sender, somebody who resolves the issue, and a later sender: it opens once', async (context) => {
  const later = NOW + 6_000
  const report = await explore({
    actors: {
      early: sender(['a']),
      person: async (driver) => {
        const hub = hubOn(driver)
        const { issues } = await hub.issues.list()
        return issues[0] === undefined ? 'nothing there' : await hub.issues.resolve(issues[0].id)
      },
      late: sender(['b', 'c'], later),
    },
    setup,
    crash: 'drawn',
    seed: 7,
    observe: (finished) => [`wins ${accepted(finished).filter(({ won }) => won).length}`],
    mustSee: ['wins 1', 'wins 2'],
    async invariant(finished) {
      const { count, seen, notices } = await look(finished.driver)
      assert.equal(count, seen)
      // A win of its own for each time the issue was opened; the window of the first is not over.
      assert.ok(notices <= 2)
      if (!killed(finished)) assert.equal(accepted(finished).filter(({ won }) => won).length, notices)
    },
  })
  context.diagnostic(JSON.stringify(report))
})
