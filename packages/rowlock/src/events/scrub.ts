import { cleanText, cutText } from './clean.ts'

/**
 * A copy of an event that may be kept: values of secret-looking keys and secret-looking parts of
 * texts are left out, texts are cleaned and shortened, depth and width are bounded.
 */
export function scrub(event: unknown): unknown {
  return copy(event, 0, { left: NODES })
}

export const LEFT_OUT = '[left out]'

const DEPTH = 12
const NODES = 5_000
const WIDTH = 200
const TEXT = 8_192

const secretKey =
  /pass(word|wd|phrase)?$|secret|(^|[^a-z])token$|access_?token|refresh_?token|api_?key|private_?key|^auth$|authorization|cookie|credential|csrf|session_?id|^dsn$|connection_?string|card_?number|^cvv$|^ssn$/i

interface Budget {
  left: number
}

function copy(value: unknown, depth: number, budget: Budget): unknown {
  if (typeof value === 'string') return scrubText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH || budget.left <= 0) return '[too deep or too much]'
  return Array.isArray(value) ? copyList(value, depth, budget) : copyObject(value, depth, budget)
}

function copyList(list: readonly unknown[], depth: number, budget: Budget): unknown[] {
  const kept: unknown[] = []
  for (const item of list) {
    if (kept.length >= WIDTH || budget.left-- <= 0) break
    kept.push(copy(item, depth + 1, budget))
  }
  return kept
}

function copyObject(object: object, depth: number, budget: Budget): Record<string, unknown> {
  const kept: Record<string, unknown> = Object.create(null)
  let width = 0
  for (const key in object) {
    if (width++ >= WIDTH || budget.left-- <= 0) break
    const name = cutText(cleanText(key), 200)
    const value = (object as Record<string, unknown>)[key]
    kept[name] = secretKey.test(name) && value !== null ? LEFT_OUT : copy(value, depth + 1, budget)
  }
  return kept
}

/** Worth a look with the slower patterns below. */
const suspect = /[:=@]|eyJ|-----BEGIN/
const patterns: readonly (readonly [RegExp, string])[] = [
  // user:password@ in an address
  [/\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{1,100}):[^\s/@]{1,200}@/gi, `$1:${LEFT_OUT}@`],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,2000}/gi, `$1 ${LEFT_OUT}`],
  [
    /\b(pass(?:word|wd)?|secret|token|api[_-]?key|access[_-]?key)(["']?\s{0,3}[:=]\s{0,3}["']?)[^\s"',;&]{1,500}/gi,
    `$1$2${LEFT_OUT}`,
  ],
  [/\beyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{0,1000}/g, LEFT_OUT],
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,8000}/g, LEFT_OUT],
]

export function scrubText(text: string): string {
  let kept = cutText(cleanText(text), TEXT)
  if (!suspect.test(kept)) return kept
  for (const [pattern, replacement] of patterns) kept = kept.replace(pattern, replacement)
  return kept
}
