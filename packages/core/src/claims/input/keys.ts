import { InvalidInputError } from '../../errors.ts'
import { plainText } from '../../port/input.ts'
import { sha256 } from './hash.ts'

/** Stored keys stay within this many UTF-8 bytes, hashed ones excepted (they are a few bytes longer, so the two never meet). */
export const LONGEST_STORED_BYTES = 512
/** Longer keys are refused: whoever has such a key has put the wrong thing into it. */
export const LONGEST_KEY = 65_536
const READABLE_BYTES = 452

/** How keys are written to the table and read back. */
export interface Keys {
  /** @throws InvalidInputError for keys that no engine stores faithfully. */
  store(key: string): string
  /** What a stored key was claimed as. A hashed one shows its beginning and its hash. */
  show(stored: string): { readonly scope: string | null; readonly key: string }
  /** The half-open range of stored keys that begin with `prefix`; `until` null: no end. */
  range(prefix: string): { readonly from: string; readonly until: string | null }
}

/**
 * Keys of Rowlock's own table. A scope stands in brackets in front, so that scopes never meet; a
 * key that begins with a bracket itself gets the empty scope.
 */
export function scopedKeys(scope: string | undefined): Keys {
  const front = scope === undefined ? '' : `[${encoded(plainText('scope', scope, 128))}]`
  return {
    store(key) {
      plainText('key', key, LONGEST_KEY)
      return shortened(front === '' && key[0] === '[' ? `[]${key}` : front + key)
    },
    show(stored) {
      const end = stored[0] === '[' ? stored.indexOf(']') : -1
      if (end < 0) return { scope: null, key: stored }
      return { scope: end === 1 ? null : decoded(stored.slice(1, end)), key: stored.slice(end + 1) }
    },
    range(prefix) {
      const from = front === '' && prefix[0] === '[' ? `[]${prefix}` : front + prefix
      return { from, until: successor(from) }
    },
  }
}

/** Keys of the user's own table are data: stored as they are, or refused. */
export const exactKeys: Keys = {
  store(key) {
    plainText('key', key, LONGEST_KEY)
    if (bytes(key) > LONGEST_STORED_BYTES * 4) {
      throw new InvalidInputError('key', `has ${bytes(key)} bytes`, `at most ${LONGEST_STORED_BYTES * 4}`)
    }
    return key
  },
  show: (stored) => ({ scope: null, key: stored }),
  range: (prefix) => ({ from: prefix, until: successor(prefix) }),
}

function encoded(scope: string): string {
  return scope.replaceAll('%', '%25').replaceAll(']', '%5D')
}

function decoded(scope: string): string {
  return scope.replaceAll('%5D', ']').replaceAll('%25', '%')
}

function shortened(stored: string): string {
  if (stored.length * 3 <= LONGEST_STORED_BYTES || bytes(stored) <= LONGEST_STORED_BYTES) return stored
  const readable = new Uint8Array(READABLE_BYTES)
  const { read } = new TextEncoder().encodeInto(stored, readable)
  return `${stored.slice(0, read)}~${sha256(stored)}`
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length
}

/** The least text, in byte order, above all texts that begin with `prefix`; null when there is none. */
function successor(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0)!)
  while (points.length > 0) {
    const last = points.pop()!
    if (last < 0x10ffff) {
      return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
    }
  }
  return null
}
