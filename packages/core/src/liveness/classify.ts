import { duesOf } from './classify-due.ts'
import { instant, oneEach } from './classify-read.ts'
import type { SubjectState, Verdict } from './types.ts'

/** What was read of one subject. What is left out, null or no number counts as unknown and proposes nothing. */
export interface Reading {
  readonly id: string
  readonly state: SubjectState
  readonly lastSeen: number | null
  readonly beats: number
  /** Since when beats are expected: its creation, the end of a pause or maintenance, a changed threshold. */
  readonly armedAt: number | null
  /** Default: that of the thresholds. */
  readonly downAfterMs?: number | null
  readonly lateAfterMs?: number | null
  /** What register and beat wrote; left out: `downAfterMs` after its last sign of life. Of a new one: null for never. */
  readonly deadline?: number | null
  /** Of a subject that is down: when its open outage started. */
  readonly downSince?: number | null
}

export interface Thresholds {
  readonly downAfterMs: number
  readonly lateAfterMs?: number | null
  /** `least` or more at once, and at least `share` of those that are up: for `holdTicks` ticks they are held back. */
  readonly mass: { readonly share: number; readonly least: number; readonly holdTicks: number }
}

/** What the checker knows of itself. */
export interface Tick {
  /** The expected distance of checks. */
  readonly everyMs: number
  /** The check before this one, whoever made it; null for none. */
  readonly lastTick: number | null
  /** When it last woke from a gap: nothing is down before `downAfterMs` has passed since. */
  readonly rearmedAt?: number | null
  /** Since when a mass outage is suspected; null for not. Store `suspectSince` of each answer for the next tick. */
  readonly suspectSince?: number | null
  /** How many are due in all, where the snapshot is one batch of them. */
  readonly due?: number | null
  /** How many are up, the due ones included, or a count that stopped above due / share. Default: those of the snapshot. */
  readonly up?: number | null
}

/** What a proposal was based on. The write tests it again: whoever beat in between is left alone. */
export interface Guard {
  readonly state: SubjectState
  readonly lastSeen: number | null
  readonly beats: number
}

export interface Proposal {
  readonly id: string
  /** Why it is down: silent, or never appeared. Why it is up: a beat. */
  readonly reason: 'silent' | 'never appeared' | 'beat'
  /** Down: when the outage started (`startedAt`). Up: when it ended. Never later than now. */
  readonly effectiveAt: number
  readonly guard: Guard
}

/** Why nothing is proposed for a subject. */
export type StillReason =
  | 'alive'
  | 'late'
  | 'down already'
  | 'not expected'
  | 'catching up'
  | 'clock stepped back'
  | 'held'
  | 'unreadable'

export interface Still {
  readonly id: string
  readonly reason: StillReason
}

/** Each subject stands in one of the three lists, in the order of the ids. */
export interface Classification {
  readonly verdict: Verdict
  readonly newlyDown: readonly Proposal[]
  readonly recovered: readonly Proposal[]
  readonly unchanged: readonly Still[]
  /** For the next tick. */
  readonly suspectSince: number | null
}

/** A gap of more ticks than this is a checker that was asleep. */
export const GAP_TICKS = 3

/**
 * Who fell silent and who came back: it decides nothing, it proposes, and the write tests every proposal again.
 *
 * A subject is down when its silence has lasted `downAfterMs`; the tie is down. Silence begins at the last beat, or later:
 * where it was armed, where the checker woke. A subject that is down is back when its last beat is newer than the start of
 * its outage and not itself too old by now. The verdict says how far the tick can be trusted:
 *
 * - `catchUp`: the checker was away for more than three ticks. Nobody is proposed as down. The caller records the blind
 *   time and stores now as `rearmedAt`.
 * - `massSuspect`: as many as `mass` says are due at once. They are held for `holdTicks` ticks, then proposed together, and
 *   are one announcement.
 * - `normal`: anything else. With a clock that stepped back nobody is proposed as down in that tick.
 *
 * It is total: it depends on nothing else, not on the order of the snapshot, changes nothing, and never throws. Of several
 * readings of one id the newest counts.
 */
export function classify(
  snapshot: readonly Reading[] | null | undefined,
  now: number,
  thresholds: Thresholds,
  tick: Tick,
): Classification {
  const readings = oneEach(snapshot)
  const judged = duesOf(readings, now, thresholds, tick)
  const trust = trustIn(judged, now, thresholds, tick)
  const newlyDown: Proposal[] = []
  const recovered: Proposal[] = []
  const unchanged: Still[] = []
  for (const { reading, found, since } of judged) {
    const { id, state } = reading
    const guard = { state, lastSeen: instant(reading.lastSeen), beats: instant(reading.beats) ?? 0 }
    if (found === 'beat') recovered.push({ id, reason: found, effectiveAt: since, guard })
    else if (found !== 'silent' && found !== 'never appeared') unchanged.push({ id, reason: found })
    else if (trust.withheld !== null) unchanged.push({ id, reason: trust.withheld })
    else newlyDown.push({ id, reason: found, effectiveAt: since, guard })
  }
  return { verdict: trust.verdict, newlyDown, recovered, unchanged, suspectSince: trust.suspectSince }
}

interface Trust {
  readonly verdict: Verdict
  /** Why those who are due are not proposed; null where they are. */
  readonly withheld: StillReason | null
  readonly suspectSince: number | null
}

function trustIn(
  judged: ReturnType<typeof duesOf>,
  now: number,
  { mass }: Thresholds,
  { everyMs, lastTick, suspectSince, due, up }: Tick,
): Trust {
  const gap = now - (instant(lastTick) ?? now)
  if (gap < 0) return { verdict: 'normal', withheld: 'clock stepped back', suspectSince: null }
  if (gap > GAP_TICKS * everyMs) return { verdict: 'catchUp', withheld: 'catching up', suspectSince: null }
  const silent = due ?? judged.filter(({ found }) => found === 'silent' || found === 'never appeared').length
  const all = Math.max(silent, up ?? judged.filter(({ reading }) => reading.state === 'up').length)
  if (instant(now) === null || !(silent >= mass.least && silent > 0 && silent >= mass.share * all)) {
    return { verdict: 'normal', withheld: null, suspectSince: null }
  }
  const since = Math.min(instant(suspectSince) ?? now, now)
  // Half a tick of tolerance: ticks come neither exactly on time nor from one checker only.
  const held = now - since < (mass.holdTicks - 0.5) * everyMs
  return { verdict: 'massSuspect', withheld: held ? 'held' : null, suspectSince: since }
}
