import type { ReadEvent } from './types.ts'

/** Which issues of a group get samples. */
export type Sampling = (events: readonly ReadEvent[]) => (issue: string) => boolean

/** From this many events in one commit on, samples cost more than they tell. */
const BUSY = 32
const EVERY_MS = 1_000
const MOST_REMEMBERED = 10_000

/**
 * In quiet times all. In a flood each issue once a second: its last twenty events would all be of the
 * same few milliseconds, and writing them would take most of the time that counting needs.
 */
export function createSampling(clock: () => number): Sampling {
  const sampledAt = new Map<string, number>()
  return (events) => {
    if (events.length < BUSY) return () => true
    const now = clock()
    if (sampledAt.size > MOST_REMEMBERED) sampledAt.clear()
    return (issue) => {
      if (now - (sampledAt.get(issue) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return false
      sampledAt.set(issue, now)
      return true
    }
  }
}
