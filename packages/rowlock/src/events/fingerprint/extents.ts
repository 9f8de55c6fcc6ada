import {
  BACKSLASH,
  COLON,
  classOf,
  DIGIT,
  DOT,
  endOfRun,
  isAlphanumericAt,
  LETTER,
  SLASH,
} from './characters.ts'
import { placeholders } from './placeholders.ts'
import { sizeUnits, spacedDurations } from './vocabulary.ts'

const afterUrl = ' "\'<>`|\\'
const trailing = '.,;:!?)]}'

/** The end of a URL of which the part up to `at` is read: what ends a sentence is not part of it. */
export function endOfUrl(text: string, at: number): number {
  let end = at
  while (end < text.length && text.charCodeAt(end) < 128 && !afterUrl.includes(text.charAt(end))) end++
  while (end > at && trailing.includes(text.charAt(end - 1))) end--
  return end
}

/** The end of a path whose ASCII part ends at `end`: with folders in other scripts, and a query string. */
export function endOfPath(text: string, end: number): number {
  let at = end
  while (isSlashAt(text, at - 1) && text.charCodeAt(at) >= 128) {
    while (at < text.length && text.charCodeAt(at) >= 128) at++
    while (classOf(text.charCodeAt(at)) !== 0) at++
  }
  return text.charAt(at) === '?' && isAlphanumericAt(text, at + 1) ? endOfUrl(text, at) : at
}

function isSlashAt(text: string, at: number): boolean {
  return (classOf(text.charCodeAt(at)) & (SLASH | BACKSLASH)) !== 0
}

/** The end of the `=` signs that fill up Base64. */
export function endOfPadding(text: string, end: number): number {
  if (text.charAt(end) !== '=') return end
  return text.charAt(end + 1) === '=' ? end + 2 : end + 1
}

const longestAlternative = 256

/**
 * The end of other names of an address behind it, which some resolvers leave empty: `10.0.0.7 (db.example.com)`,
 * `db.example.com [10.0.0.7]:25`, `10.0.0.7 ()`.
 */
export function endOfAlternatives(text: string, end: number): number {
  const open = text.charAt(end) === ' ' ? end + 1 : end
  const opener = text.charAt(open)
  if (opener !== '[' && (opener !== '(' || open === end)) return end
  let close = open + 1
  let classes = 0
  while (close - open < longestAlternative && classOf(text.charCodeAt(close)) !== 0) {
    classes |= classOf(text.charCodeAt(close))
    close++
  }
  if (text.charAt(close) !== (opener === '[' ? ']' : ')')) return end
  const address =
    close === open + 1 || (classes & (DOT | COLON)) !== 0 || text.slice(open + 1, close) === 'localhost'
  if (!address) return end
  const port = text.charAt(close + 1) === ':' ? endOfRun(text, close + 2, DIGIT) : 0
  return port > close + 2 ? port : close + 1
}

/** The unit behind a number, attached or as the next word, and what the two are together. */
export function endOfUnit(text: string, end: number): { placeholder: string; end: number } | undefined {
  const start = text.charAt(end) === ' ' ? end + 1 : end
  let unit = start
  // U+03BC is the mu of microseconds.
  while ((classOf(text.charCodeAt(unit)) & LETTER) !== 0 || text.charCodeAt(unit) === 0x3bc) unit++
  if (
    unit === start ||
    unit - start > 12 ||
    classOf(text.charCodeAt(unit)) === DIGIT ||
    text.charAt(unit) === '_'
  )
    return
  const name = text.slice(start, unit).toLowerCase()
  if (spacedDurations.has(name)) return { placeholder: placeholders.duration, end: unit }
  if (sizeUnits.has(name)) return { placeholder: placeholders.size, end: unit }
  return undefined
}
