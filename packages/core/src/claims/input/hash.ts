const FIRST = primes(64)
const START = FIRST.slice(0, 8).map((prime) => fraction(prime ** (1 / 2)))
const ROUND = FIRST.map((prime) => fraction(prime ** (1 / 3)))

/**
 * SHA-256 as 64 hexadecimal digits. Written out here because the platform's own is asynchronous on
 * some runtimes and a Node import on others; long keys and payloads are its only use.
 */
export function sha256(text: string): string {
  const words = padded(new TextEncoder().encode(text))
  const state = [...START]
  const schedule = new Array<number>(64)
  for (let block = 0; block < words.length; block += 16) {
    for (let i = 0; i < 64; i++) {
      schedule[i] = i < 16 ? words[block + i]! : extended(schedule, i)
    }
    compress(state, schedule)
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

function compress(state: number[], schedule: readonly number[]): void {
  let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const first = (h + turn(e, 6, 11, 25) + choice + ROUND[i]! + schedule[i]!) | 0
    const second = (turn(a, 2, 13, 22) + majority) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i]! + word) | 0
}

function extended(schedule: readonly number[], i: number): number {
  const early = schedule[i - 15]!
  const late = schedule[i - 2]!
  const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
  const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
  return (schedule[i - 16]! + first + schedule[i - 7]! + second) | 0
}

function turn(word: number, one: number, two: number, three: number): number {
  return rotate(word, one) ^ rotate(word, two) ^ rotate(word, three)
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

/** The message as 32-bit words: a 1 bit behind it, zeros, and its length in bits. */
function padded(bytes: Uint8Array): number[] {
  const words = new Array<number>((((bytes.length + 8) >> 6) + 1) * 16).fill(0)
  bytes.forEach((byte, i) => {
    words[i >> 2]! |= byte << (24 - (i % 4) * 8)
  })
  words[bytes.length >> 2]! |= 0x80 << (24 - (bytes.length % 4) * 8)
  words[words.length - 2] = Math.floor(bytes.length / 2 ** 29)
  words[words.length - 1] = bytes.length << 3
  return words
}

function primes(count: number): number[] {
  const found: number[] = []
  for (let next = 2; found.length < count; next++) {
    if (found.every((prime) => next % prime !== 0)) found.push(next)
  }
  return found
}

/** The first 32 bits behind the point. */
function fraction(root: number): number {
  return ((root % 1) * 2 ** 32) | 0
}
