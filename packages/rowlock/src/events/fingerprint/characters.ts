/** Classes of ASCII characters, as bits, so that one pass over a token also says what is in it. 0 ends a token. */
export const DIGIT = 1
export const UPPER = 2
export const LOWER = 4
export const DOT = 8
export const COLON = 16
export const SLASH = 32
export const BACKSLASH = 64
export const AT = 128
export const DASH = 256
export const UNDERSCORE = 512
export const SIGN = 1024
/** Not of a character: the token has a placeholder in it. */
export const MASKED = 2048
/** Not of a character: the token has a `://` in it. */
export const SCHEME = 4096

export const LETTER = UPPER | LOWER
export const ALPHANUMERIC = DIGIT | LETTER
/** A token with none of these is a plain word. */
export const NOTABLE = DIGIT | DOT | COLON | SLASH | BACKSLASH | AT | MASKED | SCHEME

const classes = new Uint16Array(128)
function classify(characters: string, bit: number): void {
  for (const character of characters) classes[character.charCodeAt(0)] = bit
}
classify('0123456789', DIGIT)
classify('ABCDEFGHIJKLMNOPQRSTUVWXYZ', UPPER)
classify('abcdefghijklmnopqrstuvwxyz', LOWER)
classify('.', DOT)
classify(':', COLON)
classify('/', SLASH)
classify('\\', BACKSLASH)
classify('@', AT)
classify('-', DASH)
classify('_', UNDERSCORE)
classify('+~$', SIGN)

/** The class of a UTF-16 code unit; 0 for what separates tokens, for everything beyond ASCII and for NaN (past the end). */
export function classOf(code: number): number {
  return code < 128 ? (classes[code] as number) : 0
}

/** Whether the character at `index` is an ASCII letter or digit. */
export function isAlphanumericAt(text: string, index: number): boolean {
  return (classOf(text.charCodeAt(index)) & ALPHANUMERIC) !== 0
}

/** Whether the character at `index` is an ASCII digit. */
export function isDigitAt(text: string, index: number): boolean {
  return classOf(text.charCodeAt(index)) === DIGIT
}

/** The index after the run of characters of these classes that starts at `index`. */
export function endOfRun(text: string, index: number, bits: number): number {
  let end = index
  while ((classOf(text.charCodeAt(end)) & bits) !== 0) end++
  return end
}
