/**
 * MurmurHash3, 128 bits, x86 variant, over the UTF-16 code units of the text in little-endian order, as 32 hex digits.
 *
 * Why not SHA-256: a fingerprint is made for every event, synchronously, on every platform. Web Crypto answers only with
 * promises and `node:crypto` does not exist everywhere; a cryptographic hash in plain TypeScript costs several times as
 * much as this one. Nor would it protect anything: whoever may send events can put one into any issue by
 * sending that issue's own message. What is needed is that different texts do not meet by accident, and with 128 well
 * mixed bits a billion issues do so with a chance of about 10^-21.
 */
export function hash128(text: string): string {
  let h1 = 0
  let h2 = 0
  let h3 = 0
  let h4 = 0
  const length = text.length
  const whole = length - (length % 8)
  for (let at = 0; at < whole; at += 8) {
    h1 = (rotate(h1 ^ mix1(pair(text, at)), 19) + h2) | 0
    h1 = (Math.imul(h1, 5) + 0x561ccd1b) | 0
    h2 = (rotate(h2 ^ mix2(pair(text, at + 2)), 17) + h3) | 0
    h2 = (Math.imul(h2, 5) + 0x0bcaa747) | 0
    h3 = (rotate(h3 ^ mix3(pair(text, at + 4)), 15) + h4) | 0
    h3 = (Math.imul(h3, 5) + 0x96cd1c35) | 0
    h4 = (rotate(h4 ^ mix4(pair(text, at + 6)), 13) + h1) | 0
    h4 = (Math.imul(h4, 5) + 0x32ac3b17) | 0
  }
  const rest = length - whole
  if (rest > 6) h4 ^= mix4(lastPair(text, whole + 6))
  if (rest > 4) h3 ^= mix3(lastPair(text, whole + 4))
  if (rest > 2) h2 ^= mix2(lastPair(text, whole + 2))
  if (rest > 0) h1 ^= mix1(lastPair(text, whole))

  const bytes = length * 2
  h1 ^= bytes
  h2 ^= bytes
  h3 ^= bytes
  h4 ^= bytes
  h1 = (h1 + h2 + h3 + h4) | 0
  h2 = (h2 + h1) | 0
  h3 = (h3 + h1) | 0
  h4 = (h4 + h1) | 0
  h1 = finish(h1)
  h2 = finish(h2)
  h3 = finish(h3)
  h4 = finish(h4)
  h1 = (h1 + h2 + h3 + h4) | 0
  return hex(h1) + hex(h2 + h1) + hex(h3 + h1) + hex(h4 + h1)
}

/** Two code units as one 32-bit word. */
function pair(text: string, at: number): number {
  return text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)
}

/** The same where the text may end after the first. Kept apart, so that the loop above never sees a NaN and stays fast. */
function lastPair(text: string, at: number): number {
  return at + 1 < text.length ? pair(text, at) : text.charCodeAt(at)
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by))
}

function mix1(word: number): number {
  return Math.imul(rotate(Math.imul(word, 0x239b961b), 15), 0xab0e9789)
}

function mix2(word: number): number {
  return Math.imul(rotate(Math.imul(word, 0xab0e9789), 16), 0x38b34ae5)
}

function mix3(word: number): number {
  return Math.imul(rotate(Math.imul(word, 0x38b34ae5), 17), 0xa1e38b93)
}

function mix4(word: number): number {
  return Math.imul(rotate(Math.imul(word, 0xa1e38b93), 18), 0x239b961b)
}

function finish(word: number): number {
  let mixed = word ^ (word >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

const hexOfByte: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
)

function hex(word: number): string {
  return (
    (hexOfByte[word >>> 24] as string) +
    hexOfByte[(word >>> 16) & 255] +
    hexOfByte[(word >>> 8) & 255] +
    hexOfByte[word & 255]
  )
}
