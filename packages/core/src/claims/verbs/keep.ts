import { ConflictError } from '../../errors.ts'
import type { Context } from '../context.ts'
import type { Claim } from '../types.ts'
import { renew } from './renew.ts'

/** A claim that is renewed in the background while work goes on under it. */
export interface Kept {
  /** Aborted as soon as the claim can no longer be relied on, or the caller's own signal is. */
  readonly signal: AbortSignal
  readonly lost: boolean
  /** Ends the renewing. */
  stop(): void
}

/**
 * Keeps a claim. It is relied on until a margin before its end, counted on the local clock from
 * before the database was asked (`since`), so that a slow answer never makes it look longer.
 */
export function keep(
  context: Context,
  claim: Claim,
  window: { readonly ttlMs: number; readonly leftMs: number; readonly since: number },
  outer: AbortSignal | undefined,
): Kept {
  const { elapsed, sleep } = context.timers
  const lost = new AbortController()
  const ended = new AbortController()
  const { ttlMs } = window
  const margin = ttlMs / 10
  let reliedOnUntil = window.since + window.leftMs - margin

  const end = (why?: string) => {
    if (ended.signal.aborted) return
    if (why !== undefined)
      lost.abort(new ConflictError(`the claim on ${claim.key} ${why}`, { key: claim.key }))
    ended.abort()
  }
  const renewing = async () => {
    for (let pause = ttlMs / 3; ; ) {
      await sleep(pause, ended.signal)
      if (ended.signal.aborted) return
      const since = elapsed()
      const outcome = await renew(context, claim, { ttl: ttlMs }).catch(() => null)
      if (outcome?.renewed) reliedOnUntil = since + ttlMs - margin
      else if (outcome !== null && outcome.reason !== 'unknown') return end('was lost')
      // Without an answer, ask again soon: there is a while left.
      pause = outcome?.renewed ? ttlMs / 3 : margin / 2
    }
  }
  const watching = async () => {
    while (!ended.signal.aborted) {
      const left = reliedOnUntil - elapsed()
      if (left <= 0) return end('could not be renewed in time')
      await sleep(left, ended.signal)
    }
  }
  void renewing()
  void watching()
  return {
    signal: outer === undefined ? lost.signal : AbortSignal.any([lost.signal, outer]),
    get lost() {
      return lost.signal.aborted
    },
    stop: () => end(),
  }
}
