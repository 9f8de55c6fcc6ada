import { type AlertRules, announce, announceEnd, mutedBy } from './model-alerts.ts'
import type { DowntimeRow, Fleet, SubjectRow } from './model-rows.ts'
import type { DowntimeCause, EndReason, SubjectState } from './types.ts'

/** What opening an outage did. */
export interface Opened {
  readonly outage: DowntimeRow
  readonly queued: number
}

/** The subject goes down: state, row and alerts, in one. `muted`: why nobody is told, whatever the rules say. */
export function open(
  fleet: Fleet,
  row: SubjectRow,
  given: { startedAt: number; now: number; cause: DowntimeCause; reason?: string | null; muted?: string },
  rules: AlertRules,
): Opened {
  const { now, cause, reason = null } = given
  const startedAt = Math.min(given.startedAt, now)
  const id = `model ${fleet.downtimes.length + 1}`
  const last = fleet.downtimes.findLast((other) => other.subject === row.id)
  const within = last?.endedAt != null && startedAt - last.endedAt <= rules.episodeWindowMs
  const outage: DowntimeRow = {
    id,
    subject: row.id,
    label: row.label,
    startedAt,
    detectedAt: now,
    endedAt: null,
    durationMs: null,
    cause,
    reason,
    endReason: null,
    episode: within ? last.episode : id,
    suppressedBy: null,
  }
  fleet.downtimes.push(outage)
  become(row, 'down', now)
  outage.suppressedBy = given.muted ?? mutedBy(fleet, row, outage, rules)
  return { outage, queued: outage.suppressedBy === null ? announce(fleet, 'down', row, outage, rules) : 0 }
}

/** Its outage ends. @returns how many alerts were queued. */
export function close(
  fleet: Fleet,
  row: SubjectRow,
  outage: DowntimeRow,
  given: { endedAt: number; endReason: EndReason },
  rules: AlertRules,
): number {
  outage.endedAt = Math.max(given.endedAt, outage.startedAt)
  outage.durationMs = outage.endedAt - outage.startedAt
  outage.endReason = given.endReason
  return given.endReason === 'removed' ? 0 : announceEnd(fleet, row, outage, rules)
}

export function become(row: SubjectRow, state: SubjectState, now: number): void {
  if (row.state === state) return
  row.state = state
  row.stateSince = now
}
