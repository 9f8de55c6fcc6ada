/** Slows down guessing: after too many failures from one address, its next tries are refused for a while. */
export interface Attempts {
  /** Milliseconds until the address may try again; 0 if it may now. */
  waitMs(address: string, now: number): number
  failed(address: string, now: number): void
}

const ALLOWED = 10
const PERIOD_MS = 60_000
const ADDRESSES = 10_000

/** Counts failures in this process: `ALLOWED` in any running period of a minute. */
export function createAttempts(): Attempts {
  const failures = new Map<string, { count: number; until: number }>()
  return {
    waitMs(address, now) {
      const seen = failures.get(address)
      return seen !== undefined && seen.count >= ALLOWED && seen.until > now ? seen.until - now : 0
    },
    failed(address, now) {
      const seen = failures.get(address)
      const running = seen !== undefined && seen.until > now
      failures.delete(address)
      failures.set(
        address,
        running ? { ...seen, count: seen.count + 1 } : { count: 1, until: now + PERIOD_MS },
      )
      if (failures.size > ADDRESSES) failures.delete(failures.keys().next().value as string)
    },
  }
}
