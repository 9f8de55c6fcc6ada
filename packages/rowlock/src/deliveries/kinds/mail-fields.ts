import { InvalidInputError } from '@rowlock/core'
import { describe, plainText } from '@rowlock/core/module'
import { isAddress } from '../address.ts'
import { refusePrivateHost } from '../send.ts'
import type { Kept, Policy } from './kind.ts'
import type { MailSettings } from './mail.ts'

const RECIPIENTS = 20
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const DOMAIN =
  /^(?=.{1,253}$)([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** A bare address: nothing that could end a header or add one gets through. */
export function readAddress(field: string, given: unknown): string {
  const accepted = 'an address such as ops@example.com'
  const text = plainText(field, given, 254)
  const at = text.lastIndexOf('@')
  if (at > 64 || !LOCAL.test(text.slice(0, Math.max(0, at))) || !DOMAIN.test(text.slice(at + 1))) {
    throw new InvalidInputError(field, `is ${describe(text)}`, accepted)
  }
  return text
}

/** One address, several with commas between them, or a list. */
export function readAddresses(field: string, given: unknown): readonly string[] {
  const parts = typeof given === 'string' ? given.split(',').map((part) => part.trim()) : given
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > RECIPIENTS) {
    throw new InvalidInputError(
      field,
      `is ${describe(given)}`,
      `1 to ${RECIPIENTS} addresses such as ops@example.com`,
    )
  }
  return [...new Set(parts.map((part) => readAddress(field, part)))]
}

/** The mail server's name or address. */
export function readHost(given: unknown, { allowPrivate }: Policy): string {
  const accepted = allowPrivate ? 'a host’s name or address' : 'a mail server on the public internet'
  const host = plainText('host', given, 253).toLowerCase()
  if (!DOMAIN.test(host) && !isAddress(host)) {
    throw new InvalidInputError('host', `is ${describe(host)}`, accepted)
  }
  try {
    if (!allowPrivate) refusePrivateHost(host)
  } catch {
    throw new InvalidInputError('host', 'is a private or local address', accepted)
  }
  return host
}

export function readUser(given: unknown): string | null {
  if (given === undefined || given === null) return null
  const user = plainText('user', given, 254)
  if (!/\p{Cc}/u.test(user)) return user
  throw new InvalidInputError('user', 'holds a control character', 'a user’s name')
}

/**
 * The password, or none. One that is kept stays with the server, the user and the encryption it was entered for: whoever may
 * change a destination cannot send the password elsewhere and read it there.
 */
export function readPassword(given: unknown, settings: MailSettings, before: Kept | undefined): string {
  const { user, security } = settings
  const field = 'password'
  if (user === null) {
    if (given === undefined || given === null || given === '') return ''
    throw new InvalidInputError(field, 'is given without a user', 'a user too, or no password')
  }
  if (security === 'none') {
    throw new InvalidInputError(
      'security',
      'is none, and the password would be readable on its way',
      'tls or starttls',
    )
  }
  if (given === undefined && before !== undefined && before.secret !== '') {
    if (isSameServer(settings, before.settings as unknown as MailSettings)) return before.secret
    throw new InvalidInputError(
      field,
      'is missing',
      'the password again, since the server or the user is another',
    )
  }
  if (typeof given !== 'string' || given === '' || given.length > 1_000 || /\p{Cc}/u.test(given)) {
    throw new InvalidInputError(field, 'is missing or malformed', 'the user’s password at the mail server')
  }
  return given
}

function isSameServer(one: MailSettings, other: MailSettings): boolean {
  return (
    one.host === other.host &&
    one.port === other.port &&
    one.user === other.user &&
    one.security === other.security
  )
}
