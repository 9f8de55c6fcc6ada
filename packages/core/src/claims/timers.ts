/** Pauses, elapsed time and chance. Replaced in tests, so that no test waits. */
export interface Timers {
  /** Milliseconds on a clock that never goes back; its zero means nothing. */
  elapsed(): number
  /** Resolves after `ms`, or as soon as `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** From 0 up to 1. */
  random(): number
}

/** The longest time that a timer can be set to; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemTimers: Timers = {
  elapsed: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, Math.min(ms, LONGEST_TIMER_MS))
      signal?.addEventListener('abort', end)
    }),
}
