/** At most so many UTF-16 code units (what `string.length` counts) of a message are looked at. */
export const MESSAGE_LIMIT = 8192

const escapeCharacter = String.fromCharCode(27)
const ansiSequence = new RegExp(`${escapeCharacter}\\[[0-9;?]{0,32}[A-Za-z]`, 'g')
const controls = /\p{Cc}/gu
const loneSurrogates = /[\ud800-\udfff]/gu
const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/g
// Normalising a text with thousands of combining marks in a row takes quadratic time; no script needs more than a few.
const SHORT = 256
const longMarks = /(\p{M}{8})\p{M}+/gu
const foreignDigits = /(?![0-9])\p{Nd}/gu

function isLineBreak(code: number): boolean {
  return (code >= 10 && code <= 13) || code === 0x85 || code === 0x2028 || code === 0x2029
}

/** White space and control characters, but not the start of a colour code, whose rest is no blank. */
function isBlank(code: number): boolean {
  return (code <= 32 && code !== 27) || isLineBreak(code)
}

/**
 * The first line of a message that is not blank, for people to read: cut to `MESSAGE_LIMIT` before anything else, without
 * colour codes, control characters, lone surrogates and invisible characters, trimmed.
 */
export function firstLine(message: string): string {
  const head = message.length > MESSAGE_LIMIT ? message.slice(0, MESSAGE_LIMIT) : message
  let start = 0
  while (start < head.length && isBlank(head.charCodeAt(start))) start++
  let end = start
  let plain = true
  for (; end < head.length; end++) {
    const code = head.charCodeAt(end)
    if (code >= 32 && code < 127) continue
    if (isLineBreak(code)) break
    plain = false
  }
  const line = head.slice(start, end)
  return (plain ? line : clean(line)).trim()
}

function clean(line: string): string {
  return line
    .replace(ansiSequence, '')
    .replace(loneSurrogates, '\ufffd')
    .replace(controls, ' ')
    .replace(invisible, '')
}

const beyondAscii = /[\u0080-\uffff]/

/**
 * One spelling for what reads the same: compatibility forms (NFKC: full-width letters, digits and brackets, half-width
 * katakana) and the digits of every script as ASCII digits. Takes and returns a single line.
 */
export function normalise(line: string): string {
  if (!beyondAscii.test(line)) return line
  const bounded = line.length > SHORT ? line.replace(longMarks, '$1') : line
  const normal = bounded.normalize('NFKC').replace(foreignDigits, '0')
  return normal.length > MESSAGE_LIMIT ? normal.slice(0, MESSAGE_LIMIT) : normal
}
