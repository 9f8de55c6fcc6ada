import { hex } from '../identity/secrets.ts'

/**
 * Ids for events that came without one: 48 bits of time, then 80 random bits. They rise with time, so
 * that the index of seen ids grows at its end and a commit writes few pages.
 */
export function createEventIds(): (now: number) => string {
  const pool = new Uint8Array(10 * 256)
  let used = pool.length
  return (now) => {
    if (used === pool.length) {
      crypto.getRandomValues(pool)
      used = 0
    }
    const random = pool.subarray(used, used + 10)
    used += 10
    return now.toString(16).padStart(12, '0') + hex(random)
  }
}
