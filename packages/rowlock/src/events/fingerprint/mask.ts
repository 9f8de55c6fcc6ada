import { classOf } from './characters.ts'
import { endOfValue, isIdentityKey, isMessageKey, keyBefore } from './keys.ts'
import { isNameOfUser, maskNameBeforeBracket } from './names.ts'
import { firstLine, normalise } from './normalise.ts'
import { placeholderLength, placeholders } from './placeholders.ts'
import { closerOf, findClose, mayQuote } from './quotes.ts'
import { MASKED_LIMIT, type Scan, startScan, tokenBack, write, writeMasked, written } from './scan.ts'
import { readToken } from './tokens.ts'

/**
 * The message with everything masked that differs from one occurrence to the next: `Failed password for bob from
 * 10.0.0.7 port 4711` becomes `Failed password for <user> from <host> port <num>`. Looks at the first line only, at most
 * `MESSAGE_LIMIT` code units of it, and takes time in proportion to that. Masking a masked message changes nothing.
 */
export function maskMessage(message: string): string {
  return maskLine(normalise(firstLine(message)))
}

/**
 * One pass from left to right: every step reads one token, writes it or its placeholder and never goes back in the text.
 */
function maskLine(line: string): string {
  const scan = startScan(line)
  while (scan.at < line.length && scan.size < MASKED_LIMIT) step(scan)
  return written(scan)
}

function step(scan: Scan): void {
  const { text, at } = scan
  const code = text.charCodeAt(at)
  if (scan.quoteEnd >= 0 && at >= scan.quoteEnd) {
    const closes = at === scan.quoteEnd
    scan.quoteEnd = -1
    if (closes) {
      write(scan, text.charAt(at), at + 1)
      return
    }
  }
  if (code === 32) {
    scan.space = true
    scan.at++
  } else if (classOf(code) !== 0 || (code === 60 && placeholderLength(text, at) > 0)) {
    readToken(scan)
  } else if (!mayQuote(code) || !readQuote(scan)) {
    if (code >= 128) readForeign(scan)
    else readPunctuation(scan)
  }
}

/** Letters beyond ASCII: words, in Japanese whole sentences. Written as they are. */
function readForeign(scan: Scan): void {
  const { text, at } = scan
  const limit = Math.min(text.length, at + 256)
  let end = at + 1
  while (end < limit && text.charCodeAt(end) >= 128 && !isForeignQuote(text, end)) end++
  // Not between the halves of a surrogate pair.
  if (end - at === 256 && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--
  write(scan, text.slice(at, end), end)
}

function isForeignQuote(text: string, at: number): boolean {
  return mayQuote(text.charCodeAt(at)) && closerOf(text, at) !== undefined
}

function readPunctuation(scan: Scan): void {
  const { text, at } = scan
  const character = text.charAt(at)
  if (character === '=' && isIdentityKey(keyBefore(scan))) {
    write(scan, character, at + 1)
    writeMasked(scan, placeholders.value, endOfValue(scan, at + 1))
    return
  }
  if (character === '[' || character === '(') maskNameBeforeBracket(scan)
  // Rulers, stars and progress bars: three of a kind are enough.
  let end = at + 1
  // One `<` at a time: the next may start a placeholder.
  while (character !== '<' && text.charAt(end) === character) end++
  write(scan, end === at + 1 ? character : text.slice(at, Math.min(end, at + 3)), end)
}

const plainKey = /^[A-Za-z_$.-]{1,64}$/

/** A quoted value becomes a placeholder, but the keys of JSON stay, and the quoted text of a message is read. */
function readQuote(scan: Scan): boolean {
  const { text, at } = scan
  const closer = closerOf(text, at)
  const close = closer === undefined ? -1 : findClose(scan, at, closer)
  if (close < 0) return false
  if (scan.quoteEnd < 0 && (isWholeLine(scan, close) || isMessage(scan))) {
    write(scan, text.charAt(at), at + 1)
    scan.quoteEnd = close
    scan.unclosedInside = ''
    return true
  }
  const content = text.slice(at + 1, close)
  const colon = colonOfKey(scan, close)
  if (colon > 0 && plainKey.test(content)) {
    write(scan, text.slice(at, close + 1), close + 1)
    scan.space = colon > close + 1
    write(scan, ':', colon + 1)
  } else {
    const name = isNameOfUser(scan, content, close + 1)
    writeMasked(scan, name ? placeholders.user : placeholders.text, close + 1)
  }
  return true
}

function isWholeLine(scan: Scan, close: number): boolean {
  return scan.tokens.length === 0 && close === scan.text.length - 1
}

/** `msg="..."`, `"message": "..."`. */
function isMessage(scan: Scan): boolean {
  const separator = tokenBack(scan, 1)
  const key = tokenBack(scan, 2)
  if (separator === '=') return isMessageKey(key)
  return separator === ':' && isMessageKey(key.slice(1, -1))
}

/** The index of the colon in `{"key":` and `, "key":`, or -1 where no key of JSON ends at `close`. */
function colonOfKey(scan: Scan, close: number): number {
  const before = tokenBack(scan, 1)
  if (before !== '{' && before !== ',') return -1
  const { text } = scan
  const colon = text.charAt(close + 1) === ' ' ? close + 2 : close + 1
  return text.charAt(colon) === ':' ? colon : -1
}
