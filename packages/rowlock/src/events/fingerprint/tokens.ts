import { isIpv6 } from './addresses.ts'
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
  SIGN,
  SLASH,
} from './characters.ts'
import { isErrorCode, SQLSTATE_LENGTH } from './codes.ts'
import { endOfDate, endOfJapaneseDate, endOfJapaneseDuration, endOfNamedDate, mayBeDate } from './dates.ts'
import { endOfAlternatives, endOfPadding, endOfPath, endOfUnit, endOfUrl } from './extents.ts'
import { maskIdentifier } from './identifiers.ts'
import { isNameOfUser, maskNameBeforeFrom, noteUser } from './names.ts'
import { isEncoded } from './opaque.ts'
import { placeholderLength, placeholders } from './placeholders.ts'
import { MASKED_LIMIT, type Scan, write, writeMasked } from './scan.ts'
import { shapes } from './shapes.ts'

/** A longer token is no word: it is encoded data. */
const TOKEN_LIMIT = 256
/** More than a whole masked message, so that only a token that came in like this is cut. */
const MASKED_TOKEN_LIMIT = 2 * MASKED_LIMIT

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

/** Where the URL starts in a token such as `url:https://...`. */
function startOfScheme(token: string): number {
  let start = token.indexOf('://')
  while ((classOf(token.charCodeAt(start - 1)) & (ALPHANUMERIC | SIGN)) !== 0) start--
  return start
}

/** The token without the dots and colons at its end, which belong to the sentence; then those. */
function readBounded(scan: Scan, classes: number, end: number): void {
  const { text, at } = scan
  let core = end
  // `fe80::` ends like this.
  const address =
    text.charCodeAt(end - 1) === 58 && text.charCodeAt(end - 2) === 58 && isIpv6(text.slice(at, end))
  while (!address && core > at && (classOf(text.charCodeAt(core - 1)) & (DOT | COLON)) !== 0) core--
  // Lines made of dashes, dots or slashes have no core: three are enough.
  if ((classes & (ALPHANUMERIC | MASKED)) === 0) core = at
  else readCore(scan, classes, core)
  // A date may have taken less than the token; a date, a unit or a second address more.
  if (scan.at === core && core < end) write(scan, text.slice(core, Math.min(end, core + 3)), end)
}

function readCore(scan: Scan, classes: number, end: number): void {
  const token = scan.text.slice(scan.at, end)
  if (isNameOfUser(scan, token, end)) {
    writeMasked(scan, placeholders.user, end)
  } else if ((classes & MASKED) !== 0) {
    writeMasked(scan, token.length > MASKED_TOKEN_LIMIT ? placeholders.data : token, end)
  } else if ((classes & NOTABLE) === 0) {
    readWord(scan, token, end)
  } else if ((classes & SCHEME) !== 0) {
    writeMasked(scan, `${maskIdentifier(token.slice(0, startOfScheme(token)))}${placeholders.url}`, end)
  } else if ((classes & DIGIT) === 0 || !readDate(scan, end)) {
    if (token.length > TOKEN_LIMIT) writeMasked(scan, placeholders.data, end)
    else if (classes === DIGIT && token.length !== SQLSTATE_LENGTH) readNumber(scan, end)
    else if (!readShape(scan, token, classes, end)) readParts(scan, token, classes, end)
  }
}

function readWord(scan: Scan, word: string, end: number): void {
  const date = endOfNamedDate(scan.text, scan.at)
  if (date > 0) {
    writeMasked(scan, placeholders.date, date)
  } else if (word === 'localhost') {
    writeMasked(scan, placeholders.host, endOfAlternatives(scan.text, end))
  } else if (word.length > TOKEN_LIMIT) {
    writeMasked(scan, placeholders.data, end)
  } else {
    if (word.length === 4 && word.toLowerCase() === 'from') maskNameBeforeFrom(scan)
    write(scan, word, end)
    noteUser(scan, word)
  }
}

function readDate(scan: Scan, end: number): boolean {
  const { text, at } = scan
  const digits = endOfRun(text, at, DIGIT)
  if (digits === at) return false
  let date = mayBeDate(text, digits) ? endOfDate(text, at) : 0
  let duration = 0
  if (date === 0 && text.charCodeAt(end) >= 128) {
    date = endOfJapaneseDate(text, at)
    if (date === 0) duration = endOfJapaneseDuration(text, at)
  }
  if (date > 0) writeMasked(scan, placeholders.date, date)
  else if (duration > 0) writeMasked(scan, placeholders.duration, duration)
  return date + duration > 0
}

function readShape(scan: Scan, token: string, classes: number, end: number): boolean {
  for (const shape of shapes) {
    if ((classes & shape.needs) !== 0 && shape.is(token, classes)) {
      writeMasked(scan, shape.placeholder, endOfExtent(scan.text, end, shape.placeholder))
      return true
    }
  }
  return false
}

/** What belongs to a value beyond its token. */
function endOfExtent(text: string, end: number, placeholder: string): number {
  if (placeholder === placeholders.host) return endOfAlternatives(text, end)
  if (placeholder === placeholders.path) return endOfPath(text, end)
  return end
}

/** No whole value: a word with dots or slashes, an identifier, a number. */
function readParts(scan: Scan, token: string, classes: number, end: number): void {
  const path = (classes & COLON) !== 0 && (classes & SLASH) !== 0 ? token.indexOf(':/') : -1
  if (path > 0 && isAlphanumericAt(token, path + 2)) {
    const masked = `${maskIdentifier(token.slice(0, path))}:${placeholders.path}`
    writeMasked(scan, masked, endOfPath(scan.text, end))
  } else if (isEncoded(token, token.lastIndexOf(':') + 1)) {
    const start = token.lastIndexOf(':') + 1
    writeMasked(
      scan,
      maskIdentifier(token.slice(0, start)) + placeholders.number,
      endOfPadding(scan.text, end),
    )
  } else if ((classes & DIGIT) === 0 || isErrorCode(scan, token)) {
    write(scan, token, end)
  } else {
    const masked = maskIdentifier(token)
    if (masked === placeholders.number) readNumber(scan, end)
    else writeMasked(scan, masked, endOfExtent(scan.text, end, masked))
  }
}

/** A number, and the unit behind it. */
function readNumber(scan: Scan, end: number): void {
  const unit = endOfUnit(scan.text, end)
  if (unit === undefined) writeMasked(scan, placeholders.number, end)
  else writeMasked(scan, unit.placeholder, unit.end)
}
