import { isHex } from './addresses.ts'
import {
  AT,
  BACKSLASH,
  COLON,
  classOf,
  DASH,
  DIGIT,
  DOT,
  endOfRun,
  isDigitAt,
  LETTER,
  LOWER,
  SLASH,
  UPPER,
} from './characters.ts'
import { wordsWithDigits } from './vocabulary.ts'

/**
 * Whether the letters and digits from `start` to `end` are mixed as in a hash, a hexadecimal number or a generated
 * identifier, and not as in a word.
 */
export function isOpaque(token: string, start: number, end: number): boolean {
  const length = end - start
  if (length < 3) return classOf(token.charCodeAt(start - 1)) === AT && hasDigit(token, start, end)
  if (isRandom(token, start, end)) return true
  if (!hasDigit(token, start, end)) return false
  if (length >= 6 && isHex(token, start, end)) return true
  if (token.charCodeAt(start) === 48 && (token.charCodeAt(start + 1) | 32) === 120)
    return isHex(token, start + 2, end)
  // Behind an at sign stands an object's hash or a version.
  if (classOf(token.charCodeAt(start - 1)) === AT) return true
  if (length < 4 || changes(token, start, end, DIGIT) < 2) return false
  return !isCompound(token, start, end) && !wordsWithDigits.has(token.slice(start, end).toLowerCase())
}

/** `Base64Decoder`, `oauth2Client`: one number of up to three digits, and the next word starts with a capital. */
function isCompound(token: string, start: number, end: number): boolean {
  const digits = endOfRun(token, start, LETTER)
  const next = endOfRun(token, digits, DIGIT)
  return (
    digits - start >= 2 &&
    next - digits <= 3 &&
    classOf(token.charCodeAt(next)) === UPPER &&
    endOfRun(token, next, LETTER) === end
  )
}

/** Whether a token is Base64 or the like: long, in one piece, with every kind of character everywhere. */
export function isEncoded(token: string, start: number): boolean {
  const length = token.length - start
  if (length < 20) return false
  let breaks = 0
  let digits = 0
  for (let at = start; at < token.length; at++) {
    const kind = classOf(token.charCodeAt(at))
    if ((kind & (DOT | COLON | BACKSLASH | AT)) !== 0) return false
    if (kind === SLASH || kind === DASH) breaks++
    else if (kind === DIGIT) digits++
  }
  // A path has more slashes and fewer digits, a UUID more dashes.
  return breaks * 10 <= length && digits * 14 >= length && isRandom(token, start, token.length)
}

/**
 * Small letters, capitals and digits change places at every second character or more often: in words they do not, not
 * even in names such as `OAuth2JWTParser`; in random text they do.
 */
function isRandom(token: string, start: number, end: number): boolean {
  return end - start >= 8 && changes(token, start, end, DIGIT | UPPER | LOWER) * 2 >= end - start
}

/** How often a character is of another class than the one before it, with regard to these classes only. */
function changes(token: string, start: number, end: number, classes: number): number {
  let count = 0
  let previous = classOf(token.charCodeAt(start)) & classes
  for (let at = start + 1; at < end; at++) {
    const kind = classOf(token.charCodeAt(at)) & classes
    if (kind !== previous) count++
    previous = kind
  }
  return count
}

function hasDigit(token: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isDigitAt(token, at)) return true
  return false
}
