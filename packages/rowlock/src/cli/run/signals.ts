const FORWARDED: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

/** Signals to this process, handed on to whoever listens. */
export interface Signals {
  /** The first that came; undefined when none has. */
  readonly first: NodeJS.Signals | undefined
  /** From now on; those that came before are not repeated. */
  listen(handler: (name: NodeJS.Signals) => void): void
  stop(): void
}

/** Catches the signals that would end this process, so that a claim is never left behind by one. */
export function catchSignals(): Signals {
  let first: NodeJS.Signals | undefined
  let handler: (name: NodeJS.Signals) => void = () => {}
  const caught = (name: NodeJS.Signals) => {
    first ??= name
    handler(name)
  }
  for (const name of FORWARDED) process.on(name, caught)
  return {
    get first() {
      return first
    },
    listen(next) {
      handler = next
    },
    stop() {
      for (const name of FORWARDED) process.off(name, caught)
    },
  }
}
