import { constants } from 'node:os'

/** Ctrl-C in two steps: first reading stops and what is under way may be answered, then all ends. */
export interface Interrupts {
  /** Aborted by the first signal. */
  readonly stop: AbortSignal
  /** Aborted by the second, or some seconds after the first. */
  readonly abort: AbortSignal
  /** 130 after Ctrl-C; undefined when no signal came. */
  readonly exitCode: number | undefined
  end(): void
}

const GRACE_MS = 2_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** @param isWaiting whether nobody answers anyway: then nothing is left to wait for. */
export function catchInterrupts(isWaiting: () => boolean): Interrupts {
  const stop = new AbortController()
  const abort = new AbortController()
  let exitCode: number | undefined
  let timer: NodeJS.Timeout | undefined
  const caught = (name: (typeof SIGNALS)[number]) => {
    if (exitCode !== undefined) return abort.abort()
    exitCode = 128 + constants.signals[name]
    stop.abort()
    timer = setTimeout(() => abort.abort(), isWaiting() ? 0 : GRACE_MS)
  }
  for (const name of SIGNALS) process.on(name, caught)
  return {
    stop: stop.signal,
    abort: abort.signal,
    get exitCode() {
      return exitCode
    },
    end() {
      clearTimeout(timer)
      for (const name of SIGNALS) process.off(name, caught)
    },
  }
}
