/** Secrets are random, shown once, and stored as their SHA-256: at 256 bits there is nothing to guess. */

/** A new token for people and machines: `rowlock_` and 256 random bits. */
export function newToken(): string {
  return `rowlock_${base64url(crypto.getRandomValues(new Uint8Array(32)))}`
}

/** A new ingest key, 32 hex digits: it may only send events to one project. */
export function newIngestKey(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)))
}

/** What the database keeps of a secret. */
export async function hashOf(secret: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))))
}

/** Whether two hashes are the same, in a time that tells nothing about where they differ. */
export function sameHash(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}

export function hex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}

export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
