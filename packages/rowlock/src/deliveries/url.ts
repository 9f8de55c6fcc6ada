import { InvalidInputError } from '@rowlock/core'
import { plainText } from '@rowlock/core/module'
import type { Policy } from './kinds/kind.ts'
import { refusePrivateHost } from './send.ts'

/**
 * An http address that may be delivered to.
 * @throws InvalidInputError naming `url`; the address is not in the message, it may be a secret.
 */
export function readUrl(given: unknown, { allowPrivate }: Policy): string {
  const accepted = allowPrivate
    ? 'an http or https address'
    : 'an http or https address on the public internet'
  const text = plainText('url', given, 2_000)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidInputError('url', 'is no http address', accepted)
  }
  if (url.username !== '' || url.password !== '') throw new InvalidInputError('url', 'holds a user', accepted)
  try {
    if (!allowPrivate) refusePrivateHost(url.hostname)
  } catch {
    throw new InvalidInputError('url', 'is a private or local address', accepted)
  }
  return url.href
}

/** An address that is itself a secret, without the part that makes it one: the last of its path, and its query. */
export function withoutSecretPart(address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname.replace(/\/+$/, '').replace(/[^/]*$/, '')}…`.replace(/([^/])…$/, '$1/…')
}
