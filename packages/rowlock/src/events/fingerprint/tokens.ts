import {
  ALPHANUMERIC,
  COLON,
  classOf,
  DIGIT,
  DOT,
  endOfRun,
  isAlphanumericAt,
  LETTER,
  MASKED,
  NOTABLE,
  SCHEME,
  SLASH,
  UPPER,
} from './characters.ts'
import { isErrorCode } from './codes.ts'
import { endOfDate, endOfJapaneseDate, endOfJapaneseDuration, endOfNamedDate, mayBeDate } from './dates.ts'
import { endOfAlternatives, endOfPath, endOfUnit, endOfUrl } from './extents.ts'
import { maskIdentifier } from './identifiers.ts'
import { isNameOfUser, maskNameBeforeFrom } from './names.ts'
import { placeholderLength, placeholders } from './placeholders.ts'
import { type Scan, write, writeMasked } from './scan.ts'
import { shapes } from './shapes.ts'

/** A longer token is no word: it is encoded data. */
const TOKEN_LIMIT = 256
/** More than what a token of `TOKEN_LIMIT` may become. */
const MASKED_TOKEN_LIMIT = 1024

/** Reads the token at `scan.at`: characters with a class, and placeholders. */
export function readToken(scan: Scan): void {
  const { text, at } = scan
  let end = at
  let classes = 0
  for (;;) {
    const code = text.charCodeAt(end)
    const kind = classOf(code)
    if (kind === COLON && startsUrl(text, end)) {
      classes |= SCHEME
      end = endOfUrl(text, end + 3)
      break
    }
    if (kind !== 0) {
      classes |= kind
      end++
      continue
    }
    const placeholder = code === 60 ? placeholderLength(text, end) : 0
    if (placeholder === 0) break
    classes |= MASKED
    end += placeholder
  }
  readBounded(scan, classes, end)
}

function startsUrl(text: string, colon: number): boolean {
  return (
    text.charCodeAt(colon + 1) === 47 &&
    text.charCodeAt(colon + 2) === 47 &&
    (classOf(text.charCodeAt(colon - 1)) & LETTER) !== 0
  )
}

/** The token without the dots and colons at its end, which belong to the sentence; then those. */
function readBounded(scan: Scan, classes: number, end: number): void {
  const { text, at } = scan
  let core = end
  while (core > at && (classOf(text.charCodeAt(core - 1)) & (DOT | COLON)) !== 0) core--
  if ((classes & (ALPHANUMERIC | MASKED)) === 0) {
    // Lines made of dashes, dots or slashes: three are enough.
    return write(scan, text.slice(at, Math.min(end, at + 3)), end)
  }
  readCore(scan, classes, core)
  // A date, a unit or a second address may have taken more than the token.
  if (scan.at < end) write(scan, text.slice(core, Math.min(end, core + 3)), end)
}

function readCore(scan: Scan, classes: number, end: number): void {
  const { text, at } = scan
  const token = text.slice(at, end)
  if (isNameOfUser(scan, token)) return writeMasked(scan, placeholders.user, end)
  if ((classes & MASKED) !== 0) {
    return writeMasked(scan, token.length > MASKED_TOKEN_LIMIT ? placeholders.data : token, end)
  }
  if ((classes & NOTABLE) === 0) return readWord(scan, token, end)
  if ((classes & DIGIT) !== 0 && readDate(scan, end)) return
  if (end - at > TOKEN_LIMIT && (classes & SCHEME) === 0) return writeMasked(scan, placeholders.data, end)
  for (const shape of shapes) {
    if ((classes & shape.needs) !== 0 && shape.is(token, classes)) {
      return writeMasked(scan, shape.placeholder, endOfExtent(text, end, shape.placeholder))
    }
  }
  readParts(scan, token, classes, end)
}

/** What belongs to a value beyond its token. */
function endOfExtent(text: string, end: number, placeholder: string): number {
  if (placeholder === placeholders.host) return endOfAlternatives(text, end)
  if (placeholder === placeholders.path) return endOfPath(text, end)
  return end
}

function readWord(scan: Scan, word: string, end: number): void {
  const date = endOfNamedDate(scan.text, scan.at)
  if (date > 0) return writeMasked(scan, placeholders.date, date)
  if (word === 'localhost') return writeMasked(scan, placeholders.host, endOfAlternatives(scan.text, end))
  if (word.length > TOKEN_LIMIT) return writeMasked(scan, placeholders.data, end)
  if (word.length === 4 && word.toLowerCase() === 'from') maskNameBeforeFrom(scan)
  write(scan, word, end)
}

function readDate(scan: Scan, end: number): boolean {
  const { text, at } = scan
  const digits = endOfRun(text, at, DIGIT)
  if (digits === at) return false
  if (mayBeDate(text, digits)) {
    const date = endOfDate(text, at)
    if (date > 0) {
      writeMasked(scan, placeholders.date, date)
      return true
    }
  }
  if (text.charCodeAt(end) < 128) return false
  const date = endOfJapaneseDate(text, at)
  const duration = date > 0 ? 0 : endOfJapaneseDuration(text, at)
  if (date === 0 && duration === 0) return false
  writeMasked(scan, date > 0 ? placeholders.date : placeholders.duration, date + duration)
  return true
}

/** No whole value: a word with dots or slashes, an identifier, a number. */
function readParts(scan: Scan, token: string, classes: number, end: number): void {
  if ((classes & COLON) !== 0 && (classes & SLASH) !== 0) {
    const path = token.indexOf(':/')
    if (path > 0 && isAlphanumericAt(token, path + 2)) {
      const masked = `${maskIdentifier(token.slice(0, path))}:${placeholders.path}`
      return writeMasked(scan, masked, endOfPath(scan.text, end))
    }
  }
  if ((classes & DIGIT) === 0) return write(scan, token, end)
  if ((classes & UPPER) !== 0 && isErrorCode(scan, token)) return write(scan, token, end)
  const masked = maskIdentifier(token)
  if (masked === placeholders.number) {
    const unit = endOfUnit(scan.text, end)
    if (unit !== undefined) return writeMasked(scan, unit.placeholder, unit.end)
  }
  writeMasked(scan, masked, masked === placeholders.host ? endOfAlternatives(scan.text, end) : end)
}
