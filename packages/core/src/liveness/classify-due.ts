import type { Proposal, Reading, StillReason, Thresholds, Tick } from './classify.ts'
import { instant } from './classify-read.ts'

/** What one reading says by itself, whatever the tick. `since`: when that began. */
export interface Judged {
  readonly reading: Reading
  readonly found: Proposal['reason'] | StillReason
  readonly since: number
}

/** Each reading judged. An instant that is no number makes all of them unreadable. */
export function duesOf(
  readings: readonly Reading[],
  now: number,
  thresholds: Thresholds,
  tick: Tick,
): readonly Judged[] {
  return readings.map((reading) => judge(reading, now, thresholds, tick))
}

function judge(reading: Reading, now: number, thresholds: Thresholds, tick: Tick): Judged {
  const still = (found: StillReason): Judged => ({ reading, found, since: now })
  const { state } = reading
  const lastSeen = instant(reading.lastSeen)
  if (state === 'paused') return still('not expected')
  const downAfter = length(reading.downAfterMs) ?? length(thresholds.downAfterMs)
  const armed = instant(reading.armedAt)
  const rearmed = instant(tick.rearmedAt)
  if (downAfter === null || instant(now) === null) return still('unreadable')
  if (state === 'new') {
    const deadline = instant(reading.deadline)
    if (deadline === null) return still('not expected')
    const started = Math.max(armed ?? deadline, rearmed ?? Number.NEGATIVE_INFINITY)
    if (latest(deadline, plus(rearmed, downAfter)) > now) return still('not expected')
    return { reading, found: 'never appeared', since: Math.min(started, now) }
  }
  const own = latest(instant(reading.deadline), plus(lastSeen, downAfter), plus(armed, downAfter))
  if (own === Number.NEGATIVE_INFINITY) return still('unreadable')
  if (state === 'down') {
    const since = instant(reading.downSince) ?? armed
    const back = lastSeen !== null && own > now && (since === null || lastSeen > since)
    return back ? { reading, found: 'beat', since: Math.min(lastSeen, now) } : still('down already')
  }
  if (state !== 'up') return still('unreadable')
  const due = latest(own, plus(rearmed, downAfter))
  if (due <= now) return { reading, found: 'silent', since: Math.min(due - downAfter, now) }
  const lateAfter = length(reading.lateAfterMs) ?? length(thresholds.lateAfterMs) ?? downAfter
  return still(now >= due - downAfter + lateAfter ? 'late' : 'alive')
}

/** No length is shorter than a millisecond: with zero or less everybody would be down for ever. */
const length = (value: number | null | undefined): number | null => {
  const found = instant(value)
  return found !== null && found > 0 ? found : null
}

const plus = (at: number | null, ms: number): number | null => (at === null ? null : at + ms)

const latest = (...found: readonly (number | null)[]): number =>
  Math.max(Number.NEGATIVE_INFINITY, ...found.filter((value) => value !== null))
