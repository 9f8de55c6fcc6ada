import type { OnceOptions } from '../call-options.ts'
import { type Context, needsColumns, ttlMs } from '../context.ts'
import { checkCall } from '../input/call.ts'
import { fingerprintOf } from '../input/canonical.ts'
import { notRun } from '../outcome.ts'
import type { Claim, OnceOutcome } from '../types.ts'
import { attempt } from './acquire.ts'
import { complete } from './complete.ts'
import { keep } from './keep.ts'
import { release } from './release.ts'
import type { Work } from './run.ts'

/**
 * Does the work once per key and window; whoever asks again gets its result. When the work throws,
 * the key is freed and the error thrown on: the next call may try again.
 */
export async function once<T>(
  context: Context,
  key: string,
  options: OnceOptions,
  work: Work<T>,
): Promise<OnceOutcome<T>> {
  needsColumns(context, 'once', ['expiresAt', 'token', 'state', 'result', 'fingerprint'])
  options.signal?.throwIfAborted()
  const keepFor = options.lease === undefined ? undefined : ttlMs(context, options.ttl)
  const ttl = options.lease ?? options.ttl
  const call = checkCall(context, key, { ...options, ttl }, { fingerprint: fingerprintOf(options.payload) })
  const since = context.timers.elapsed()
  const { outcome, leftMs } = await attempt(context, call)
  if (!outcome.won) return notRun(outcome)

  const kept = keep(context, outcome, { ttlMs: call.slots.ttl, leftMs, since }, options.signal)
  const { now } = options
  const result = await doing(outcome)
  return { ran: true, result, recorded: await record(outcome, result) }

  async function doing(claim: Claim): Promise<T> {
    try {
      return await work(claim, kept.signal)
    } catch (error) {
      await release(context, claim, { now }).catch(() => {})
      throw error
    } finally {
      kept.stop()
    }
  }

  async function record(claim: Claim, done: T): Promise<'yes' | 'lost' | 'unknown'> {
    const stored = await complete(context, claim, done, { now, keepFor })
    if (stored.completed) return 'yes'
    return stored.reason === 'unknown' ? 'unknown' : 'lost'
  }
}
