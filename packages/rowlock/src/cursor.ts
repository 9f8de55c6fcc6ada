import { InvalidInputError } from '@rowlock/core'
import { plainText } from '@rowlock/core/module'
import { base64url } from './identity/secrets.ts'

/** Where a page of a list ended: the sort values of its last row, opaque to who sends it back. */

export function encodeCursor(values: readonly (string | number)[]): string {
  return base64url(new TextEncoder().encode(JSON.stringify(values)))
}

/** @throws InvalidInputError for what no list has given out. */
export function decodeCursor(
  cursor: string,
  kinds: readonly ('string' | 'number')[],
): readonly (string | number)[] {
  const values = parse(cursor)
  const right =
    Array.isArray(values) &&
    values.length === kinds.length &&
    values.every((value, at) => isKind(value, kinds[at]))
  if (!right) throw new InvalidInputError('cursor', 'is malformed', '`next` of the page before')
  return values
}

function isKind(value: unknown, kind: 'string' | 'number' | undefined): boolean {
  if (kind === 'number') return Number.isSafeInteger(value)
  return typeof value === 'string' && value === plainText('cursor', value, 1_000)
}

function parse(cursor: string): unknown {
  try {
    const bytes = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0))))
  } catch {
    return undefined
  }
}
