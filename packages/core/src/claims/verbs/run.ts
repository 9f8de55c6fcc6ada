import type { RunOptions } from '../call-options.ts'
import type { Context } from '../context.ts'
import { checkCall } from '../input/call.ts'
import { notRun } from '../outcome.ts'
import type { Claim, RunOutcome } from '../types.ts'
import { attempt } from './acquire.ts'
import { complete } from './complete.ts'
import { keep } from './keep.ts'
import { release } from './release.ts'

/** The work to do under a claim. It should stop when `signal` is aborted: the claim is then not to be relied on. */
export type Work<T> = (claim: Claim, signal: AbortSignal) => Promise<T> | T

/**
 * Does the work if the key can be had, renewing the claim while it goes on, and frees it at the end.
 * What the work throws is thrown on.
 */
export async function run<T>(
  context: Context,
  key: string,
  options: RunOptions,
  work: Work<T>,
): Promise<RunOutcome<T>> {
  options.signal?.throwIfAborted()
  const call = checkCall(context, key, options)
  const since = context.timers.elapsed()
  const { outcome, leftMs } = await attempt(context, call)
  if (!outcome.won) return notRun(outcome)

  const { now } = options
  const kept = keep(context, outcome, { ttlMs: call.slots.ttl, leftMs, since }, options.signal)
  try {
    const value = await work(outcome, kept.signal)
    kept.stop()
    const { lost } = kept
    if (!lost) await settle(() => end(options.afterSuccess ?? 'release'))
    return { ran: true, value, lost }
  } catch (error) {
    kept.stop()
    if (!kept.lost && options.afterFailure !== 'keep') await settle(() => end('release'))
    throw error
  }

  function end(how: 'release' | 'complete'): Promise<unknown> {
    const claim = outcome as Claim
    return how === 'complete'
      ? complete(context, claim, undefined, { now })
      : release(context, claim, { now })
  }
}

/** The work is done, whatever becomes of the claim: it ends with its window at the latest. */
async function settle(end: () => Promise<unknown>): Promise<void> {
  await end().catch(() => {})
}
