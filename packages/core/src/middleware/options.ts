import type { Claims } from '../claims/index.ts'

/** What every form of the middleware takes. `Incoming` is the request as the framework knows it. */
export interface IdempotencyOptions<Incoming> {
  /** Where the keys are claimed. They need no table of their own. */
  readonly claims: Claims
  /**
   * Whose key it is: the user, the tenant, the API client, as your authentication found it. Two
   * principals never share a key, nor see each other's responses.
   */
  principal(request: Incoming): string | Promise<string>
  /** What the key is for; default: the method and the path. The same key on two routes is two keys. */
  route?(request: Incoming): string
  /** Methods that take a key; default POST and PATCH. All others pass. */
  readonly methods?: readonly string[]
  /** Whether requests without a key are refused with 400. Default true; false lets them pass. */
  readonly required?: boolean
  /** How long a response is replayed; default one day. */
  readonly ttl?: number | string
  /** How long a key stays taken when the process that works on it dies; default one minute, renewed meanwhile. */
  readonly lease?: number | string
  /** The longest request body, in bytes, default 1 MiB; longer ones are refused with 413. */
  readonly requestBytes?: number
  /** The longest response that is kept, in bytes, default 256 KiB. A longer one is sent once and not replayed. */
  readonly responseBytes?: number
  /** Whether a response ends the matter. Default: see `isFinal`. What is not kept frees the key. */
  keep?(response: { readonly status: number }): boolean
}

/** Statuses that say "not now" or "not like this": asking again may end otherwise, so nothing is kept. */
const TRY_AGAIN: readonly number[] = [401, 403, 408, 409, 425, 429]

/** By default everything is kept but server errors and 401, 403, 408, 409, 425 and 429. */
export function isFinal({ status }: { readonly status: number }): boolean {
  return status < 500 && !TRY_AGAIN.includes(status)
}

/** A response as it is kept. */
export interface KeptResponse {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  /** Base64; null where the response was too long to be kept. */
  readonly body: string | null
}

/** Headers that belong to one exchange, or to one client alone. */
const NOT_KEPT =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|date|set-cookie)$/i

export function keptHeaders(headers: Iterable<readonly [string, string]>): [string, string][] {
  return [...headers].filter(([name]) => !NOT_KEPT.test(name)).map(([name, value]) => [name, value])
}

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 32_768) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  }
  return btoa(binary)
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
