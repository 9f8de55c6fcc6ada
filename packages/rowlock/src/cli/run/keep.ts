import type { Claiming, Won } from './claim.ts'

/** How long a claim is to be kept, and how. */
export interface KeepOptions {
  readonly ttlMs: number
  /** When the winning attempt began, on the monotonic clock. */
  readonly since: number
  /** A lock is renewed to its full length; a window keeps its end for as long as the work is done by then. */
  readonly hold: boolean
}

/** Elapsed time and pauses, for tests. */
export interface Timing {
  /** A clock that never goes back, ms. */
  elapsed(): number
  /** Does the work later, unless the returned function is called before. */
  after(ms: number, work: () => void): () => void
}

export const realTiming: Timing = {
  elapsed: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}

export interface Kept {
  /** Resolves with the reason when the claim can no longer be relied on. */
  readonly lost: Promise<string>
  stop(): void
}

/** So often at least the claim is looked after: a claim that was taken away is noticed within this time. */
const LONGEST_BEAT_MS = 30_000
/** Work that outlasts its window is given more of it in pieces of this length. */
const OVERTIME_MS = 60_000
const RETRY_MS = 1_000

/** Looks after a claim while its command runs. Relies on it until a margin before its end, on the local clock. */
export function keep(
  claiming: Pick<Claiming, 'renew'>,
  claim: Won,
  { ttlMs, since, hold }: KeepOptions,
  { elapsed, after }: Timing = realTiming,
): Kept {
  const overtimeMs = Math.min(ttlMs, OVERTIME_MS)
  const marginMs = overtimeMs / 10
  const beatMs = Math.min(LONGEST_BEAT_MS, overtimeMs / 3)
  const windowEnd = since + ttlMs
  let reliedOnUntil = windowEnd - marginMs
  let cancel = () => {}
  let stopped = false

  const lost = new Promise<string>((resolve) => {
    const beat = async () => {
      const asked = elapsed()
      const length = hold ? ttlMs : Math.max(overtimeMs, Math.ceil(windowEnd - asked))
      const outcome = await claiming.renew(claim, length).catch(() => undefined)
      if (stopped) return
      if (outcome?.renewed === false && outcome.reason !== 'unknown')
        return resolve('somebody else may have it now')
      if (outcome?.renewed === true) reliedOnUntil = asked + length - marginMs
      plan(outcome?.renewed === true ? beatMs : Math.min(beatMs, RETRY_MS))
    }
    const plan = (pause: number) => {
      const left = reliedOnUntil - elapsed()
      if (left <= 0) return resolve('it could not be renewed in time')
      cancel = after(Math.min(pause, left), () => void beat())
    }
    plan(beatMs)
  })
  return {
    lost,
    stop() {
      stopped = true
      cancel()
    },
  }
}
