import { duration } from '../../port/input.ts'
import type { Context } from '../context.ts'
import type { Call } from '../input/call.ts'
import type { NearCache } from '../near.ts'
import type { Answer } from '../outcome.ts'
import type { Lost } from '../types.ts'

/** How long a claim that may be freed early is remembered as lost. */
const FREED_EARLY_MS = 1000

/** The loss that the cache remembers for a stored key, with what is left of it. */
export async function remembered(
  context: Context,
  near: NearCache,
  stored: string,
  holder: string | undefined,
): Promise<Lost | undefined> {
  const found = near.get(nearKey(context, stored))
  const hit = found instanceof Promise ? await found : found
  // Our own claim is no loss: the database will say so.
  if (hit === undefined || hit.loss.holder === holder) return undefined
  return { ...hit.loss, retryAfterMs: Math.max(1, Math.ceil(hit.loss.retryAfterMs - hit.agedMs)) }
}

/** Remembers a loss: no longer than the key is surely held, counted from before the database was asked. */
export async function remember(
  context: Context,
  near: NearCache,
  call: Call,
  { outcome, leftMs }: Answer,
  since: number,
): Promise<void> {
  if (outcome.won || outcome.reason === 'unknown') return
  const { nearFor } = context
  const early = outcome.reason === 'held' && context.shapes[0].table.columns.token !== null
  const longest =
    nearFor === 'window'
      ? leftMs
      : nearFor === undefined
        ? early
          ? FREED_EARLY_MS
          : leftMs
        : duration('nearFor', nearFor)
  const agedMs = context.timers.elapsed() - since
  const forMs = Math.min(leftMs - margin(leftMs), longest) - agedMs
  if (forMs <= 0) return
  const loss = { ...outcome, retryAfterMs: Math.max(1, Math.ceil(outcome.retryAfterMs - agedMs)) }
  await near.put(nearKey(context, call.slots.key), loss, forMs)
}

/** The key is ours no longer, and by our own doing: nobody here shall think it lost. */
export async function forget(context: Context, stored: string): Promise<void> {
  await context.near?.put(nearKey(context, stored), null, 0)
}

/** For clocks that do not run alike. */
function margin(leftMs: number): number {
  return Math.max(2, leftMs / 100)
}

/** Several tables may share one cache. */
function nearKey(context: Context, stored: string): string {
  return `${context.shapes[0].table.name} ${stored}`
}
