import { usageError } from '../failure.ts'
import type { Session } from '../session.ts'
import { complain } from './messages.ts'

/** Tells a ping address that a run began and how it ended. What goes wrong with that is said, and changes nothing else. */
export interface Reporter {
  begin(): void
  /** Resolves when the end has been told, or could not be. */
  end(exitCode: number): Promise<void>
}

/** The command has ended: whoever waits for its exit code does not wait for long. */
const PATIENCE_MS = 10_000

/** @throws CommandError when the address is none. */
export function createReporter(session: Session, given: string | undefined): Reporter {
  if (given === undefined) return { begin() {}, async end() {} }
  const base = addressOf(given)
  const rid = crypto.randomUUID()
  let begun: Promise<void> = Promise.resolve()
  const tell = async (what: string) => {
    const url = new URL(base)
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/${what}`
    url.searchParams.set('rid', rid)
    try {
      const response = await fetch(url, { method: 'POST', signal: AbortSignal.timeout(PATIENCE_MS) })
      await response.arrayBuffer()
      if (!response.ok) complain(session, `${url.host} answered ${response.status} to the ping (${what})`)
    } catch (error) {
      complain(session, `${url.host} could not be told (${what}): ${(error as Error).message}`)
    }
  }
  return {
    begin() {
      begun = tell('start')
    },
    async end(exitCode) {
      await begun
      await tell(String(exitCode))
    },
  }
}

function addressOf(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url
  throw usageError(`--ping is ${JSON.stringify(given)}`, {
    accepted: 'a device’s address, such as https://hub.example.com/ping/1f0e…',
  })
}
