import { endOfIpv4, isHex, isIpv6 } from './addresses.ts'
import {
  ALPHANUMERIC,
  AT,
  BACKSLASH,
  COLON,
  classOf,
  DIGIT,
  DOT,
  endOfRun,
  isAlphanumericAt,
  isDigitAt,
  LETTER,
  LOWER,
  SLASH,
  UPPER,
} from './characters.ts'
import { placeholders } from './placeholders.ts'
import { attachedDurations, hostEndings, reverseDomains, shortExtensions, sizeUnits } from './vocabulary.ts'

/** One mask for a whole token (characters without a space, a bracket, a comma or a quote between them). */
export interface Shape {
  readonly name: string
  readonly placeholder: string
  /** Classes of characters of which a token must have at least one to be looked at. */
  readonly needs: number
  /** Whether the token, which holds `classes`, is one. Linear in its length, which is at most 256. */
  is(token: string, classes: number): boolean
}

/** In order; the first that fits wins. What none of them takes is masked part by part (see `identifiers.ts`). */
export const shapes: readonly Shape[] = [
  { name: 'email', placeholder: placeholders.email, needs: AT, is: isEmail },
  { name: 'address', placeholder: placeholders.host, needs: COLON | DOT | SLASH, is: isAddress },
  { name: 'path', placeholder: placeholders.path, needs: SLASH | BACKSLASH, is: isPath },
  { name: 'duration', placeholder: placeholders.duration, needs: DIGIT, is: isDuration },
  { name: 'size', placeholder: placeholders.size, needs: DIGIT, is: isSize },
]

function isEmail(token: string): boolean {
  const at = token.indexOf('@')
  return at > 0 && at === token.lastIndexOf('@') && isHost(token, at + 1, token.length)
}

/** An address alone, behind a slash (`/10.0.0.1:80`) or behind its own name (`db-1/10.0.0.1:80`). */
function isAddress(token: string, classes: number): boolean {
  const slash = token.lastIndexOf('/')
  if (slash >= 0 && isDigitAt(token, slash + 1) && endOfIpv4(token, slash + 1) === token.length) {
    return token.indexOf('/') === slash
  }
  if ((classes & COLON) !== 0 && isIpv6(token)) return true
  if ((classes & (SLASH | BACKSLASH | AT)) !== 0) return false
  if ((classes & DIGIT) !== 0 && endOfIpv4(token, 0) === token.length) return true
  const colon = (classes & COLON) === 0 ? -1 : token.indexOf(':')
  if (colon < 0) return isHost(token, 0, token.length)
  return endOfRun(token, colon + 1, DIGIT) === token.length && isHost(token, 0, colon)
}

/**
 * Whether `text` from `start` to `end` is a host name and not an identifier with dots, such as a class, a file or a
 * setting: it ends like a domain, does not start like a reversed one, and no label mixes cases as class names do.
 */
export function isHost(text: string, start: number, end: number): boolean {
  if (text.slice(start, end) === 'localhost') return true
  const lastDot = text.lastIndexOf('.', end - 1)
  if (lastDot <= start || lastDot + 2 > end - 1) return false
  const ending = text.slice(lastDot + 1, end).toLowerCase()
  const twoLabels = text.lastIndexOf('.', lastDot - 1) < start
  const country =
    !twoLabels && ending.length === 2 && endOfRun(ending, 0, LOWER) === 2 && !shortExtensions.has(ending)
  if (!country && !hostEndings.has(ending)) return false
  if (reverseDomains.has(text.slice(start, text.indexOf('.', start)))) return false
  return hasHostLabels(text, start, end)
}

function hasHostLabels(text: string, start: number, end: number): boolean {
  let previous = 0
  for (let at = start; at < end; at++) {
    const kind = classOf(text.charCodeAt(at))
    if ((kind & (COLON | SLASH | BACKSLASH | AT)) !== 0 || kind === 0) return false
    if (kind === DOT && previous === DOT) return false
    if (kind === UPPER && previous === LOWER) return false
    previous = kind
  }
  return true
}

function isPath(token: string): boolean {
  if (!/[A-Za-z0-9]/.test(token)) return false
  const first = token.charAt(0)
  if (first === '/' || token.startsWith('\\\\')) return true
  if (/^(?:\.{1,2}|~)[/\\]/.test(token) || /^[A-Za-z]:[/\\]/.test(token)) return true
  const lastSlash = Math.max(token.lastIndexOf('/'), token.lastIndexOf('\\'))
  return token.lastIndexOf(':', lastSlash) < 0 && hasExtension(token, lastSlash + 1)
}

/** `name.ext` or `name.ext:12` to the end of the token. */
function hasExtension(token: string, start: number): boolean {
  const colon = token.indexOf(':', start)
  const end = colon < 0 ? token.length : colon
  if (colon >= 0 && endOfRun(token, colon + 1, DIGIT | COLON) !== token.length) return false
  const dot = token.lastIndexOf('.', end - 1)
  if (dot <= start || !isAlphanumericAt(token, dot - 1)) return false
  const length = end - dot - 1
  if (length < 1 || length > 5 || endOfRun(token, dot + 1, ALPHANUMERIC) !== end) return false
  return !isDigitAt(token, dot + 1)
}

/** `12ms`, `1.5s`, `1h30m12.5s`. */
function isDuration(token: string): boolean {
  if (!isDigitAt(token, 0)) return false
  // A hash may end in a d.
  if (token.length >= 8 && isHex(token, 0, token.length)) return false
  let at = 0
  while (at < token.length) {
    const unit = endOfNumber(token, at)
    if (unit === at) return false
    at = endOfRun(token, unit, LETTER)
    if (!attachedDurations.has(token.slice(unit, at))) return false
  }
  return at > 0
}

/** `10MB`, `1.5GiB`, `0B`. */
function isSize(token: string): boolean {
  const unit = endOfNumber(token, 0)
  if (unit === 0 || unit === token.length || token.length - unit > 5) return false
  const name = token.slice(unit)
  return name === 'B' || sizeUnits.has(name.toLowerCase())
}

function endOfNumber(token: string, start: number): number {
  const whole = endOfRun(token, start, DIGIT)
  if (whole === start || token.charCodeAt(whole) !== 46 || !isDigitAt(token, whole + 1)) return whole
  return endOfRun(token, whole + 1, DIGIT)
}
