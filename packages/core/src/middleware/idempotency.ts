import { type IdempotencyOptions, isFinal, type KeptResponse } from './options.ts'

/**
 * The Idempotency-Key header, as the IETF's draft (draft-ietf-httpapi-idempotency-key-header) has it,
 * without a framework: what to answer, and when the handler is to be called.
 */

/** An answer of the middleware's own, as problem details (RFC 9457). */
export interface Refusal {
  readonly status: 400 | 409 | 413 | 422 | 503
  readonly title: string
  readonly detail: string
  readonly retryAfterSeconds?: number
}

export type Verdict =
  /** No key and none needed: the handler is still to be called. */
  | { readonly kind: 'pass' }
  /** The handler was called, and its response is to be sent. */
  | { readonly kind: 'handled' }
  | { readonly kind: 'replay'; readonly response: KeptResponse }
  | { readonly kind: 'refuse'; readonly refusal: Refusal }

/** What the middleware knows of a request. */
export interface Asked {
  readonly method: string
  readonly route: string
  readonly principal: string
  readonly header: string | null | undefined
  /** What the request is about, read only when there is a key. Null: it is too long. */
  payload(): Promise<{ readonly of: unknown } | null>
}

/** Longer keys are no identifiers. */
const LONGEST_KEY = 255
/** The work behind a key is seldom as long as its lease: ask again sooner. */
const LONGEST_RETRY_SECONDS = 10

/**
 * Decides what to answer. `handle` is called at most once, and gives the response that was made, to
 * be kept; what it throws is thrown on, and the key is free again.
 */
export async function decideIdempotency<Incoming>(
  options: IdempotencyOptions<Incoming>,
  asked: Asked,
  handle: () => Promise<KeptResponse>,
): Promise<Verdict> {
  const key = readKey(asked.header)
  if (key === null) {
    if (asked.header == null && options.required === false) return { kind: 'pass' }
    return refuse(asked.header == null ? MISSING : MALFORMED)
  }
  const payload = await asked.payload()
  if (payload === null) return refuse(TOO_LONG)

  const claimed = `idempotency:${JSON.stringify([asked.principal, asked.route, key])}`
  const { ttl = '1d', lease = '1m', keep = isFinal } = options
  let handled = false
  try {
    const outcome = await options.claims.once(claimed, { ttl, lease, payload: payload.of }, async () => {
      const response = await handle()
      handled = true
      // Whatever is thrown here frees the key.
      if (!keep(response)) throw new Error('not to be kept')
      return response
    })
    if (outcome.ran) return { kind: 'handled' }
    switch (outcome.reason) {
      case 'done':
        return replay(outcome.result as KeptResponse)
      case 'mismatch':
        return refuse(MISMATCH)
      case 'held':
        return refuse(inFlight(outcome.retryAfterMs))
      case 'unknown':
        return refuse(UNKNOWN)
    }
  } catch (error) {
    // A response there is belongs to the client, even when keeping it has failed.
    if (handled) return { kind: 'handled' }
    throw error
  }
}

/** Whether requests of this method take a key. */
export function takesKey<Incoming>({ methods }: IdempotencyOptions<Incoming>, method: string): boolean {
  return (methods ?? ['POST', 'PATCH']).includes(method)
}

/**
 * The key of a header: a quoted string, as the draft has it, or the bare text that most clients
 * send. Null: none, or none that could be one.
 */
export function readKey(header: string | null | undefined): string | null {
  const text = header?.trim() ?? ''
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)
  const key = quoted === null ? text : quoted[1]!.replace(/\\(["\\])/g, '$1')
  const bare = quoted !== null || !text.includes('"')
  return bare && key !== '' && key.length <= LONGEST_KEY && /^[\x20-\x7e]*$/.test(key) ? key : null
}

function replay(response: KeptResponse): Verdict {
  if (response.body !== null) return { kind: 'replay', response }
  return refuse({
    status: 409,
    title: 'The response was not kept',
    detail: `The request with this key was answered with status ${response.status}; its response was too long to be kept.`,
  })
}

function refuse(refusal: Refusal): Verdict {
  return { kind: 'refuse', refusal }
}

function inFlight(retryAfterMs: number): Refusal {
  return {
    status: 409,
    title: 'A request with this Idempotency-Key is in progress',
    detail: 'Ask again later to be given its response.',
    retryAfterSeconds: Math.min(Math.ceil(retryAfterMs / 1000), LONGEST_RETRY_SECONDS),
  }
}

const MISSING: Refusal = {
  status: 400,
  title: 'Idempotency-Key is missing',
  detail: 'This request needs an Idempotency-Key header: a string of your own, new for each operation.',
}
const MALFORMED: Refusal = {
  status: 400,
  title: 'Idempotency-Key cannot be read',
  detail: `It must be a string of 1 to ${LONGEST_KEY} printable ASCII characters, in quotes or without any.`,
}
const MISMATCH: Refusal = {
  status: 422,
  title: 'Idempotency-Key is already used',
  detail: 'This key came with another request before. Use a new key for a new operation.',
}
const TOO_LONG: Refusal = {
  status: 413,
  title: 'The request is too long',
  detail: 'Requests with an Idempotency-Key are read in full, and this one passes the limit.',
}
const UNKNOWN: Refusal = {
  status: 503,
  title: 'The Idempotency-Key could not be looked up',
  detail: 'Nothing was done. Ask again with the same key.',
  retryAfterSeconds: 1,
}
