import { duration } from '../../port/input.ts'
import type { WaitOptions } from '../call-options.ts'
import type { Context } from '../context.ts'
import { checkCall } from '../input/call.ts'
import type { AcquireOutcome } from '../types.ts'
import { attempt } from './acquire.ts'
import { release } from './release.ts'

const FIRST_PAUSE_MS = 50

/**
 * Tries until the key is won, the timeout is over, or the signal ends it. A key that is done is not
 * waited for. A win that was over before it arrived here is given back and never returned.
 */
export async function wait(
  context: Context,
  key: string,
  options: WaitOptions = {},
): Promise<AcquireOutcome> {
  const { signal } = options
  const { elapsed, sleep } = context.timers
  const longestMs = duration('longestPause', options.longestPause ?? '5s')
  const until = options.timeout === undefined ? Infinity : elapsed() + duration('timeout', options.timeout)
  for (let tries = 0; ; tries++) {
    signal?.throwIfAborted()
    const since = elapsed()
    const { outcome, leftMs } = await attempt(context, checkCall(context, key, options))
    const late = outcome.won && elapsed() - since > leftMs
    if (late) await release(context, outcome, { now: options.now }).catch(() => {})
    else if (outcome.won || outcome.reason === 'done') return outcome

    const left = until - elapsed()
    if (left <= 0)
      return late
        ? { won: false, reason: 'held', expiresAt: null, retryAfterMs: 1, token: null, holder: null }
        : outcome
    await sleep(Math.min(pause(context, tries, longestMs), retryAfter(outcome), left), signal)
  }
}

/** Doubles up to a limit, and is spread over its upper half, so that many who wait do not come together. */
function pause(context: Context, tries: number, longestMs: number): number {
  const widest = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 30), longestMs)
  return widest * (0.5 + context.timers.random() / 2)
}

function retryAfter(outcome: AcquireOutcome): number {
  return !outcome.won && outcome.reason !== 'unknown' ? outcome.retryAfterMs : Infinity
}
