import type { Parcel } from './kinds/kind.ts'
import type { SendMail } from './mail.ts'
import { PrivateDestinationError, type Send } from './send.ts'
import { type Verdict, verdictOn, verdictOnMail } from './verdict.ts'

/** What takes parcels out of the house. */
export interface Carriers {
  readonly send: Send
  /** Undefined where there are no mail servers to be reached, on Workers. */
  readonly mail: SendMail | undefined
}

export interface Dispatched {
  readonly verdict: Verdict
  /** Of HTTP or of the mail server; null without an answer. */
  readonly status: number | null
  /** What a person should know of although it was sent. */
  readonly problem?: string
}

/** Sends a parcel once and says what came of it; never throws. */
export async function dispatch(
  parcel: Promise<Parcel>,
  { send, mail }: Carriers,
  { now, secret }: { now: number; secret: string },
): Promise<Dispatched> {
  try {
    const made = await parcel
    if ('post' in made) {
      const reply = await send(made.post)
      return { verdict: verdictOn(reply, now), status: reply.status }
    }
    if (mail === undefined) return { verdict: noMail, status: null }
    const reply = await mail(made.mail)
    const verdict = withoutSecret(verdictOnMail(reply), secret)
    const refused = reply.refused?.join(', ') ?? ''
    return {
      verdict,
      status: reply.code,
      ...(refused === '' ? {} : { problem: `the mail server refused ${refused}` }),
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error)
    const kind = error instanceof PrivateDestinationError ? 'dead' : 'retry'
    return { verdict: withoutSecret({ kind, reason }, secret), status: null }
  }
}

const noMail: Verdict = {
  kind: 'dead',
  reason: 'this hub cannot speak to mail servers: that takes one on Node',
}

/** A server or a runtime may have put what it was given into its words: the secret, or the path of an address that is one. */
function withoutSecret(verdict: Verdict, secret: string): Verdict {
  if (verdict.kind === 'sent' || secret === '') return verdict
  const path = URL.canParse(secret)
    ? (new URL(secret).pathname.split('/').findLast((part) => part !== '') ?? '')
    : ''
  const parts = [secret, path].filter((part) => part !== '')
  return { ...verdict, reason: parts.reduce((text, part) => text.replaceAll(part, '***'), verdict.reason) }
}
