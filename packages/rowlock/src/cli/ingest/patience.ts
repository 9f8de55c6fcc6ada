import { UnavailableError } from '@rowlock/core'

/** How long nobody needs to answer before one gives up. Shared by all batches on their way. */
export interface Patience {
  /** Somebody answered: the waiting starts anew. */
  answered(): void
  /** Pauses before the next try. @throws UnavailableError when it has been too long. */
  wait(tries: number, reason: Error, atLeastMs?: number): Promise<void>
  /** Why nothing goes on, or undefined. */
  readonly waitingFor: string | undefined
}

export interface PatienceOptions {
  /** After the first answer. */
  readonly giveUpMs: number
  readonly signal: AbortSignal
  /** Told when waiting begins. */
  onWait(reason: string): void
}

/** Before anybody has ever been there the address is rather wrong. */
const FIRST_CONTACT_MS = 15_000
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5_000

export function createPatience({ giveUpMs, signal, onWait }: PatienceOptions): Patience {
  let since = performance.now()
  let limit = Math.min(giveUpMs, FIRST_CONTACT_MS)
  let waitingFor: string | undefined
  return {
    get waitingFor() {
      return waitingFor
    },
    answered() {
      since = performance.now()
      limit = giveUpMs
      waitingFor = undefined
    },
    async wait(tries, reason, atLeastMs = 0) {
      if (!(reason instanceof UnavailableError && reason.applied === 'no')) limit = giveUpMs
      if (performance.now() - since > limit) throw tooLong(reason)
      if (waitingFor === undefined) onWait(reason.message)
      waitingFor = reason.message
      const backoff = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries, 10))
      await pause(Math.max(atLeastMs, backoff * (0.5 + Math.random() / 2)), signal)
    },
  }
}

function tooLong(reason: Error): Error {
  return reason instanceof UnavailableError ? reason : new UnavailableError(reason.message, 'unknown', reason)
}

/** @throws the signal's reason when it comes first. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const timer = setTimeout(done, ms)
    function done() {
      signal.removeEventListener('abort', stop)
      resolve()
    }
    function stop() {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}
