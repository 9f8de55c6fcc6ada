import { classOf, LETTER, LOWER, UPPER } from './characters.ts'
import { placeholderLength, placeholders } from './placeholders.ts'
import { closerOf, findClose } from './quotes.ts'
import { type Scan, tokenBack } from './scan.ts'
import { identityKeyEndings, identityKeyParts, identityKeys, messageKeys } from './vocabulary.ts'

/** Whether a key says who or where, so that any value of it is masked, words too. */
export function isIdentityKey(key: string): boolean {
  if (key.length > 64) return false
  const start = startOfLastPart(key)
  const part = key.slice(start).toLowerCase()
  if (start === 0) return identityKeys.has(part) || identityKeyEndings.some((ending) => part.endsWith(ending))
  return identityKeyParts.has(part) || identityKeyEndings.some((ending) => part.endsWith(ending))
}

/** Whether a quoted value of this key is the message itself. */
export function isMessageKey(key: string): boolean {
  return messageKeys.has(withoutPlaceholder(key).toLowerCase())
}

/** Where the last word of `requestId`, `request_id`, `request.id` starts; 0 if the key is one word. */
function startOfLastPart(key: string): number {
  let at = key.length
  while (at > 0 && (classOf(key.charCodeAt(at - 1)) & LETTER) !== 0) {
    at--
    const camel = classOf(key.charCodeAt(at)) === UPPER && classOf(key.charCodeAt(at - 1)) === LOWER
    if (camel) return at
  }
  return at
}

/** The end of the value that starts at `start`, right behind the `=` of an identity key; `start` if it is empty. */
export function endOfValue(scan: Scan, start: number): number {
  const { text } = scan
  const closer = closerOf(text, start)
  const close = closer === undefined ? -1 : findClose(scan, start, closer)
  let at = close < 0 ? start : close + 1
  const limit = scan.quoteEnd < 0 ? text.length : scan.quoteEnd
  for (; at < limit; at++) {
    const character = text.charAt(at)
    if (character === '<') {
      const length = placeholderLength(text, at)
      if (length === 0 || text.startsWith(placeholders.cut, at)) return at
      at += length - 1
    } else if (' ,;)]}&|>'.includes(character)) return at
  }
  return at
}

/** The word right before an `=`, or nothing. A placeholder that it is glued to is not part of it. */
export function keyBefore(scan: Scan): string {
  return scan.space ? '' : withoutPlaceholder(tokenBack(scan, 1))
}

function withoutPlaceholder(token: string): string {
  return token.slice(token.lastIndexOf('>') + 1)
}
