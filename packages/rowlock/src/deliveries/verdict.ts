import type { MailReply } from './mail.ts'
import type { Reply } from './send.ts'

/** What a destination's answer, or its silence, means for the delivery. */
export type Verdict =
  | { readonly kind: 'sent' }
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs?: number }
  | { readonly kind: 'dead'; readonly reason: string }
  /** 410: the destination wants nothing any more. */
  | { readonly kind: 'gone'; readonly reason: string }

const TRY_AGAIN = new Set([408, 425, 429])
/** However long a destination asks us to wait. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000

export function verdictOn({ status, retryAfter }: Reply, now: number): Verdict {
  if (status >= 200 && status < 300) return { kind: 'sent' }
  const reason = `the destination answered ${status}`
  if (status === 410) return { kind: 'gone', reason: `${reason}: it is gone` }
  if (status < 500 && !TRY_AGAIN.has(status)) {
    const redirect = status >= 300 && status < 400
    return { kind: 'dead', reason: redirect ? `${reason}: redirects are not followed` : reason }
  }
  const afterMs = readRetryAfter(retryAfter, now)
  return afterMs === undefined ? { kind: 'retry', reason } : { kind: 'retry', reason, afterMs }
}

/** A mail server's last word: 4xx is "not now", 5xx is "never". */
export function verdictOnMail({ code, text }: MailReply): Verdict {
  if (code >= 200 && code < 300) return { kind: 'sent' }
  const reason = `the mail server answered ${text === '' ? code : text}`
  return { kind: code >= 500 ? 'dead' : 'retry', reason }
}

/** `Retry-After`: seconds, with a fraction from some, or a date. */
function readRetryAfter(given: string | null, now: number): number | undefined {
  if (given === null) return undefined
  const text = given.trim()
  const ms = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Math.ceil(Number(text) * 1000) : Date.parse(text) - now
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, LONGEST_WAIT_MS) : undefined
}
