import { endOfIpv4 } from './addresses.ts'
import {
  ALPHANUMERIC,
  classOf,
  DASH,
  DIGIT,
  DOT,
  endOfRun,
  isAlphanumericAt,
  isDigitAt,
  LETTER,
  LOWER,
  UNDERSCORE,
} from './characters.ts'
import { isOpaque } from './opaque.ts'
import { placeholders } from './placeholders.ts'
import { ordinals, wordsWithDigits } from './vocabulary.ts'

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z])/iy

/**
 * Masks the digits of a token and leaves its words: `blk_-1608999` is `blk_<num>`, `pool-3-thread-12` is
 * `pool-<num>-thread-<num>`, `attempt_14451_0020_m_000001_0` is `attempt_<num>`.
 *
 * A part is what stands between characters that are neither letter nor digit. Numbers joined by `-`, `_` or `.` are one
 * number, also over a part of one or two letters: identifiers are made like that, and which of their numbers are there
 * depends on the case.
 */
export function maskIdentifier(token: string): string {
  let masked = ''
  let afterNumber = false
  let at = 0
  while (at < token.length) {
    const start = endOfSeparators(token, at)
    const separator = withoutSign(token, at, start)
    if (start === token.length) return masked + separator
    const { end, text, number } = readPart(token, start)
    const joined = afterNumber && isJoint(separator) && (number || isFiller(token, start, end, separator))
    if (!joined) {
      masked += separator + text
      afterNumber = text.endsWith(placeholders.number)
    }
    at = end
  }
  return masked
}

function endOfSeparators(token: string, at: number): number {
  let end = at
  while (end < token.length && !isAlphanumericAt(token, end)) end++
  return end
}

/** The separators, without a minus (at the start also a plus) that belongs to the number behind it. */
function withoutSign(token: string, at: number, start: number): string {
  const sign = token.charAt(start - 1)
  const signed =
    start > at &&
    isDigitAt(token, start) &&
    ((sign === '-' && (at === 0 || start - at > 1)) || (sign === '+' && start === 1))
  return token.slice(at, signed ? start - 1 : start)
}

function isJoint(separator: string): boolean {
  return separator.length === 1 && (classOf(separator.charCodeAt(0)) & (DASH | UNDERSCORE | DOT)) !== 0
}

/**
 * Whether a word behind a number is part of an identifier and not a word: one or two letters with a number behind them
 * (the `m` of `20_m_1`), or five letters and more without a vowel, as generated names have.
 */
function isFiller(token: string, start: number, end: number, separator: string): boolean {
  if (separator === '.' || endOfRun(token, start, LETTER) !== end) return false
  if (end - start <= 2) {
    return (classOf(token.charCodeAt(end)) & (DASH | UNDERSCORE)) !== 0 && isDigitAt(token, end + 1)
  }
  return end - start >= 5 && !/[aeiouyAEIOUY]/.test(token.slice(start, end))
}

interface Part {
  readonly end: number
  readonly text: string
  /** The whole part has been masked as a number. */
  readonly number: boolean
}

function readPart(token: string, start: number): Part {
  const end = endOfRun(token, start, ALPHANUMERIC)
  if (end - start === 8 && token.charCodeAt(end) === 45) {
    uuid.lastIndex = start
    if (uuid.test(token)) return { end: uuid.lastIndex, text: placeholders.uuid, number: false }
  }
  if (isDigitAt(token, start)) {
    const address = endOfIpv4(token, start)
    if (address > 0) return { end: address, text: placeholders.host, number: false }
    const decimal = endOfDecimal(token, start)
    if (decimal > 0) return { end: decimal, text: placeholders.number, number: true }
  }
  if (isOpaque(token, start, end)) return { end, text: placeholders.number, number: true }
  return { end, text: maskDigits(token, start, end), number: false }
}

/** The end of `12`, `1.5`, `1.2.3`, `1.0E-4`, or 0 if a letter follows. */
function endOfDecimal(token: string, start: number): number {
  let end = 0
  let next = start
  while (isDigitAt(token, next)) {
    next = endOfRun(token, next, DIGIT)
    const kind = classOf(token.charCodeAt(next))
    if ((kind & LETTER) !== 0) {
      const exponent = endOfExponent(token, next)
      return exponent > 0 ? exponent : end
    }
    end = next
    if (kind !== DOT) return end
    next++
  }
  return end
}

function endOfExponent(token: string, at: number): number {
  if ((token.charCodeAt(at) | 32) !== 101) return 0
  const sign = token.charAt(at + 1)
  const digits = sign === '-' || sign === '+' ? at + 2 : at + 1
  const end = endOfRun(token, digits, DIGIT)
  return end > digits && endOfRun(token, end, LETTER) === end ? end : 0
}

function maskDigits(token: string, start: number, end: number): string {
  const part = token.slice(start, end)
  const letters = endOfRun(token, start, LETTER)
  if (letters === end || wordsWithDigits.has(part.toLowerCase())) return part
  const digits = endOfRun(token, start, DIGIT)
  if (digits > start && endOfRun(token, digits, LOWER) === end && ordinals.has(token.slice(digits, end))) {
    return placeholders.number
  }
  return part.replace(/[0-9]+/g, placeholders.number)
}
