import { UnavailableError } from '../errors.ts'

/**
 * Calls that met a locked database, in the order they came. SQLite waits by blocking the thread, so
 * it is let wait for a moment only; the rest of the waiting happens here, while the event loop goes
 * on. Whoever comes later stands behind: were each to try for itself, a thousand callers would
 * block the loop a thousand times.
 */
export interface Line {
  /** Whether anybody waits. */
  waiting(): boolean
  /** Does the work when its turn comes. The work may throw what `blocked` recognises, to try again later. */
  join<T>(work: () => T): Promise<T>
}

interface Waiter {
  readonly work: () => unknown
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  readonly deadline: number
}

/** How long the line is served without a pause, so that other work of the process gets its turn. */
const SERVE_AT_MOST_MS = 10

export function createLine(waitAtMostMs: number, blocked: (cause: unknown) => boolean): Line {
  const waiters: Waiter[] = []

  // A rest of random length: processes that rest equally long would collide again and again.
  const rest = () => setTimeout(serve, 1 + Math.random() * 19)

  const serve = () => {
    const until = performance.now() + SERVE_AT_MOST_MS
    let cause: unknown
    while (waiters.length > 0 && performance.now() < until) {
      const { work, resolve, reject } = waiters[0]!
      try {
        resolve(work() as never)
      } catch (error) {
        if (blocked(error)) {
          cause = error
          break
        }
        reject(error)
      }
      waiters.shift()
    }
    if (cause !== undefined) turnAway(cause)
    if (waiters.length > 0) rest()
  }

  const turnAway = (cause: unknown) => {
    const now = performance.now()
    while (waiters.length > 0 && waiters[0]!.deadline <= now) {
      const text = `the database was locked for more than ${waitAtMostMs} ms; nothing was applied`
      waiters.shift()!.reject(new UnavailableError(text, 'no', cause))
    }
  }

  return {
    waiting: () => waiters.length > 0,
    join: (work) =>
      new Promise((resolve, reject) => {
        waiters.push({ work, resolve, reject, deadline: performance.now() + waitAtMostMs })
        if (waiters.length === 1) rest()
      }),
  }
}
