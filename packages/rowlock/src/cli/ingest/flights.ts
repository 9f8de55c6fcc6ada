/** A few things at a time: who adds one waits for a free place. */
export interface Flights {
  /** Resolves when it has been started. @throws what an earlier one threw. */
  add(start: () => Promise<void>): Promise<void>
  /** Resolves when all have ended. @throws the first error. */
  done(): Promise<void>
}

export function createFlights(most: number): Flights {
  const running = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  const check = () => {
    if (failure !== undefined) throw failure.error
  }
  return {
    async add(start) {
      while (running.size >= most && failure === undefined) await Promise.race(running)
      check()
      const flight: Promise<void> = start()
        .catch((error: unknown) => {
          failure ??= { error }
        })
        .finally(() => running.delete(flight))
      running.add(flight)
    },
    async done() {
      await Promise.all(running)
      check()
    },
  }
}
