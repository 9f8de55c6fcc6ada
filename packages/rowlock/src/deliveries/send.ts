import { isAddress, isPrivateAddress, isPrivateName } from './address.ts'

/** One POST to a destination. */
export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What the destination said. */
export interface Reply {
  readonly status: number
  /** The `Retry-After` header as it came, or null. */
  readonly retryAfter: string | null
}

/**
 * Sends one POST: no redirects are followed, the reply's body is not read.
 * @throws PrivateDestinationError when the address is not a public one; any other error when there was no reply.
 */
export type Send = (post: Post) => Promise<Reply>

/** The destination is not on the public internet, and the hub was not told to allow that. */
export class PrivateDestinationError extends Error {
  constructor(host: string) {
    super(
      `${host} is a private or local address; start the hub with --allow-private-destinations to deliver there`,
    )
    this.name = 'PrivateDestinationError'
  }
}

export const SEND_TIMEOUT_MS = 10_000

/**
 * Sends with `fetch`, for runtimes that resolve names themselves: literal addresses and local names are refused here,
 * and the runtime's own network reaches no private one.
 */
export function fetchSend(options: { allowPrivate: boolean }): Send {
  return async ({ url, headers, body }) => {
    const host = new URL(url).hostname
    if (!options.allowPrivate) refusePrivateHost(host)
    const signal = AbortSignal.timeout(SEND_TIMEOUT_MS)
    try {
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
      await response.body?.cancel()
      return { status: response.status, retryAfter: response.headers.get('retry-after') }
    } catch (error) {
      throw signal.aborted ? new Error(`no answer within ${SEND_TIMEOUT_MS} ms`) : error
    }
  }
}

/** @throws PrivateDestinationError for literal private addresses and for local names. */
export function refusePrivateHost(host: string): void {
  const refused = isAddress(host) ? isPrivateAddress(host) : isPrivateName(host)
  if (refused) throw new PrivateDestinationError(host)
}
