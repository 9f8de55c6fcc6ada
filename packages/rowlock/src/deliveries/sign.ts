/** Signatures after the Standard Webhooks specification: https://www.standardwebhooks.com */

export interface Signed {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/** A new signing secret: `whsec_` and 256 random bits in Base64. */
export function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`
}

/** Whether it is `whsec_` and 24 to 64 bytes in Base64. */
export function isSecret(secret: string): boolean {
  if (!/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(secret)) return false
  try {
    const { length } = atob(secret.slice(6))
    return length >= 24 && length <= 64
  } catch {
    return false
  }
}

/**
 * The headers by which a receiver knows who sent the body and when. `id` stays the same over all
 * retries: by it the receiver leaves out what it has had already.
 */
export async function sign(secret: string, id: string, timestampMs: number, body: string): Promise<Signed> {
  const timestamp = String(Math.floor(timestampMs / 1000))
  const raw = Uint8Array.from(atob(secret.slice(6)), (character) => character.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, content))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
  }
}
