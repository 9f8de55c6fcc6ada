import assert from 'node:assert/strict'
import type { Driver } from '@rowlock/core'
import { createLiveness, type Liveness } from '@rowlock/core/liveness'
import { createOutbox } from '@rowlock/core/outbox'

/** What one of two checkers does at the same instant as the other, and what came back from its writes. */
export type Turn = { readonly verb: 'check' | 'beat'; readonly now: number }
export interface Told {
  readonly opened: number
  readonly closed: number
  readonly alerts: number
}

const APART_MS = 1_000_000

export function racer(driver: Driver): (turn: Turn) => Promise<Told> {
  const liveness = livenessOn(driver)
  return async ({ verb, now }) => {
    if (verb === 'beat') {
      const beat = await liveness.beat('tv', { now })
      if (!beat.ok) throw new Error(`beat: ${beat.reason}`)
      return { opened: 0, closed: beat.closed === null ? 0 : 1, alerts: 0 }
    }
    const check = await liveness.check({ now })
    if (!check.ok) throw new Error(`check: ${check.reason}`)
    return { opened: check.opened, closed: check.closed, alerts: check.alertsQueued }
  }
}

function livenessOn(driver: Driver): Liveness {
  return createLiveness(driver, {
    downAfter: 100,
    every: APART_MS,
    episodeWindow: 1,
    flapping: { changes: 1000, within: 1 },
    announceTo: ['ops'],
  })
}

/**
 * So many times: one subject falls silent, and two check at the same instant: one opens, one row, one alert. Then two
 * beats at the same instant: one ends it.
 */
export async function raceChecks(
  driver: Driver,
  both: (turn: Turn) => Promise<readonly Told[]>,
  rounds: number,
): Promise<void> {
  const liveness = livenessOn(driver)
  const outbox = createOutbox(driver)
  await outbox.install()
  await liveness.install()
  await liveness.beat('tv', { register: {}, now: 0 })
  const sum = (told: readonly Told[], field: keyof Told) =>
    told.reduce((total, each) => total + each[field], 0)
  for (let round = 1; round <= rounds; round += 1) {
    const now = round * APART_MS
    await liveness.beat('tv', { now: now - 100 })
    const checks = await both({ verb: 'check', now })
    assert.deepEqual([sum(checks, 'opened'), sum(checks, 'alerts')], [1, 1], `round ${round}: checks`)
    const open = (await liveness.downtimes({ subject: 'tv', open: true, limit: 10 })).downtimes
    assert.equal(open.length, 1, `round ${round}: open rows`)
    const beats = await both({ verb: 'beat', now: now + 1 })
    assert.equal(sum(beats, 'closed'), 1, `round ${round}: beats`)
  }
  assert.equal(await counted(driver, 'downtimes'), rounds)
  assert.equal(await counted(driver, 'outbox'), rounds, 'an alert each, taken back when nobody had been told')
}

async function counted(driver: Driver, table: string): Promise<number> {
  const text = `select count(*) as n from rowlock_${table}`
  const [row] = await driver.execute({ name: 'test.count', text, values: [] })
  return Number(row!.n)
}
