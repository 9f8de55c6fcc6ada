import { become, close } from './model-changes.ts'
import type { CheckRules } from './model-check.ts'
import { deadlineOf } from './model-register.ts'
import { type DowntimeRow, type Fleet, openOf, type SubjectRow } from './model-rows.ts'
import type { Beat, BeatOptions, BeatOutcome } from './types.ts'

/** Beats of one subject in one call are judged by the newest, and each is counted. */
export function oneForEach(beats: readonly Beat[]): readonly (Beat & { readonly times: number })[] {
  const all = new Map<string, Beat & { readonly times: number }>()
  for (const beat of beats) {
    const before = all.get(beat.id)
    const isNewest =
      (beat.receivedAt ?? Number.POSITIVE_INFINITY) >= (before?.receivedAt ?? Number.POSITIVE_INFINITY)
    const newest = before === undefined || isNewest ? beat : before
    const sentAt = beat.sentAt ?? before?.sentAt
    all.set(beat.id, {
      ...newest,
      ...(sentAt !== undefined && { sentAt }),
      times: (before?.times ?? 0) + 1,
    })
  }
  return [...all.values()]
}

/** Beats of a subject that is there. */
export function beatOn(
  fleet: Fleet,
  row: SubjectRow,
  given: BeatOptions & { readonly times?: number },
  now: number,
  rules: CheckRules,
): BeatOutcome & { ok: true } {
  const { receivedAt, sentAt, nextDueAt = null } = given
  const instant = Math.min(receivedAt ?? now, now)
  const newest = row.lastSeen === null || instant >= row.lastSeen
  row.beats += given.times ?? 1
  row.sentAt = sentAt ?? row.sentAt
  row.lastSeen = Math.max(row.lastSeen ?? instant, instant)
  const outage = openOf(fleet, row.id)
  const ends = outage && (receivedAt === undefined || isNewer(outage, instant))
  if (ends) close(fleet, row, outage, { endedAt: instant, endReason: 'beat' }, rules)
  if (row.state === 'new' || ends) become(row, 'up', now)
  if (newest) row.deadline = deadlineOf(row, nextDueAt)
  const closed = ends ? { downtime: outage.id, durationMs: outage.durationMs! } : null
  return { ok: true, state: row.state, closed, skewMs: sentAt === undefined ? null : sentAt - instant }
}

/** A beat that waited somewhere ends only what began before it; a failure of the same millisecond came before it, too. */
function isNewer({ cause, startedAt }: DowntimeRow, instant: number): boolean {
  return cause === 'failed' ? instant >= startedAt : instant > startedAt
}
