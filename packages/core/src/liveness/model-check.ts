import { type Classification, classify, type Reading, type Thresholds } from './classify.ts'
import { type AlertRules, announceLasting } from './model-alerts.ts'
import { become, close, open } from './model-changes.ts'
import { type Fleet, openOf } from './model-rows.ts'
import type { Summary } from './types.ts'

export interface CheckRules extends AlertRules {
  readonly everyMs: number
  readonly mass: Thresholds['mass']
}

/** One check: what `classify` proposes is written. Here nobody comes in between, so that nothing is raced. */
export function check(fleet: Fleet, run: string, now: number, rules: CheckRules): Summary {
  const found = propose(fleet, now, rules)
  if (found.verdict === 'catchUp') {
    fleet.blind.push({ subject: null, from: fleet.lastTick!, to: now })
    fleet.rearmedAt = now
  }
  Object.assign(fleet, { lastTick: now, suspectSince: found.suspectSince })

  let queued = 0
  let suppressed = 0
  const mass = found.verdict === 'massSuspect'
  const opened = found.newlyDown.map(({ id, effectiveAt, reason }) => {
    const cause = reason === 'never appeared' ? reason : 'silent'
    const given = { startedAt: effectiveAt, now, cause, ...(mass && { muted: 'mass' }) } as const
    const { outage, queued: alerts } = open(fleet, fleet.subjects.get(id)!, given, rules)
    queued += alerts
    if (outage.suppressedBy !== null) suppressed += 1
    return outage
  })
  if (mass && opened.length > 0) {
    for (const destination of rules.announceTo) {
      const payload = {
        scope: rules.scope,
        mass: { count: opened.length, subjects: opened.slice(0, 20).map(({ subject }) => subject) },
      }
      const dedupKey = `mass:${run}:${destination}`
      fleet.alerts.push({
        topic: 'fleet.down',
        destination,
        dedupKey,
        orderingKey: null,
        payload,
        state: 'pending',
      })
      queued += 1
    }
  }
  for (const { id, effectiveAt } of found.recovered) {
    const row = fleet.subjects.get(id)!
    become(row, 'up', now)
    row.deadline = Math.max(row.deadline ?? 0, row.lastSeen! + row.downAfterMs)
    const outage = openOf(fleet, id)
    if (outage !== undefined) {
      queued += close(fleet, row, outage, { endedAt: effectiveAt, endReason: 'beat' }, rules)
    }
  }
  queued += announceLasting(fleet, now, rules)
  const [newlyDown, recovered] = [found.newlyDown.length, found.recovered.length]
  const checked = newlyDown + found.unchanged.filter(({ reason }) => reason === 'held').length
  return {
    run,
    checked,
    newlyDown,
    recovered,
    opened: opened.length,
    closed: recovered,
    alertsQueued: queued,
    raced: 0,
    suppressed,
    repaired: 0,
    verdict: found.verdict,
    durationMs: 0,
  }
}

function propose(fleet: Fleet, now: number, { everyMs, mass }: CheckRules): Classification {
  const readings = [...fleet.subjects.values()].map((row): Reading => {
    const downSince = openOf(fleet, row.id)?.startedAt ?? null
    return { ...row, downSince }
  })
  const { lastTick, rearmedAt, suspectSince } = fleet
  const thresholds = { downAfterMs: Number.NaN, mass }
  return classify(readings, now, thresholds, { everyMs, lastTick, rearmedAt, suspectSince })
}
