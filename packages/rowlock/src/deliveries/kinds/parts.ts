import type { Post } from '../send.ts'
import { readUrl, withoutSecretPart } from '../url.ts'
import type { Kind } from './kind.ts'

/** Reads a destination whose address is the secret. */
export const secretUrl: Kind['read'] = ({ url }, policy, before) => {
  if (url === undefined && before !== undefined) return before
  const secret = readUrl(url, policy)
  return { url: withoutSecretPart(secret), secret, settings: {} }
}

export function jsonPost(url: string, body: object): Post {
  return {
    url,
    headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'rowlock' },
    body: JSON.stringify(body),
  }
}
