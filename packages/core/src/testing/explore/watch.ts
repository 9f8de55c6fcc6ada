/** Waits for the one actor that is awake. */
export interface Watch {
  /** Resolves at the next `wake`; rejects when the actor stays away for too long. */
  until(actor: string): Promise<void>
  wake(): void
  close(): void
}

/** How long an actor may neither ask the database nor end. */
const STUCK_AFTER_MS = 10_000

/** One timer for all waiting: an exploration waits millions of times. */
export function createWatch(stuckAfterMs = STUCK_AFTER_MS): Watch {
  let waiting: { actor: string; resolve(): void; reject(error: Error): void } | undefined
  let seen: typeof waiting
  const timer = setInterval(() => {
    if (waiting !== undefined && waiting === seen) waiting.reject(stuck(waiting.actor, stuckAfterMs))
    seen = waiting
  }, stuckAfterMs)
  return {
    until: (actor) =>
      new Promise((resolve, reject) => {
        waiting = { actor, resolve, reject }
      }),
    wake() {
      waiting?.resolve()
      waiting = undefined
    },
    close: () => clearInterval(timer),
  }
}

function stuck(actor: string, ms: number): Error {
  return new Error(
    `${actor} has neither ended nor asked the database for ${ms} ms: an actor may wait for nothing but its own driver`,
  )
}
