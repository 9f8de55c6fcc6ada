import { wholeNumber } from '../port/input.ts'
import { systemTimers, type Timers } from './timers.ts'
import type { Lost } from './types.ts'

/**
 * What a process remembers in front of the database: that a key is lost, never that it is free. A
 * cached loss costs no query; a key that the cache does not know is asked for as always.
 *
 * Two methods, so that anything with an expiry can stand behind them.
 */
export interface NearCache {
  /** The loss put under this key, while its time lasts. */
  get(key: string): NearHit | undefined | Promise<NearHit | undefined>
  /** Keeps the loss for at most `forMs`; null forgets the key. */
  put(key: string, loss: Lost | null, forMs: number): void | Promise<void>
}

export interface NearHit {
  readonly loss: Lost
  /** How much of `forMs` is left. */
  readonly leftMs: number
  /** How much of it is gone. */
  readonly agedMs: number
}

/** A near cache in this process's memory, of at most `entries` keys (default 10,000); the oldest makes room. */
export function memoryCache(options: { entries?: number; timers?: Timers } = {}): NearCache {
  const entries = wholeNumber('entries', options.entries ?? 10_000, 1, 10_000_000)
  const { elapsed } = options.timers ?? systemTimers
  const kept = new Map<string, { readonly loss: Lost; readonly since: number; readonly until: number }>()
  return {
    get(key) {
      const entry = kept.get(key)
      if (entry === undefined) return undefined
      const now = elapsed()
      if (now < entry.until) return { loss: entry.loss, leftMs: entry.until - now, agedMs: now - entry.since }
      kept.delete(key)
      return undefined
    },
    put(key, loss, forMs) {
      kept.delete(key)
      if (loss === null) return
      if (kept.size >= entries) kept.delete(kept.keys().next().value as string)
      const since = elapsed()
      kept.set(key, { loss, since, until: since + forMs })
    },
  }
}
