import type { FingerprintInput } from './types.ts'

/** Stands for the parts of the computed key inside an explicit fingerprint. */
const standIn = /^\{\{\s{0,8}default\s{0,8}\}\}$/
const PARTS = 64

/** The parts of the sender's own key, or undefined if it has none or only says "as usual". */
export function explicitParts(event: FingerprintInput): readonly string[] | undefined {
  const given: unknown = event.fingerprint
  if (given === undefined || given === null) return undefined
  const list: readonly unknown[] = Array.isArray(given) ? given : [given]
  const parts = list
    .filter((part) => part !== null && part !== undefined && part !== '')
    .slice(0, PARTS)
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)) ?? '')
  if (parts.length === 0 || parts.every(isStandIn)) return undefined
  return parts
}

export function isStandIn(part: string): boolean {
  return standIn.test(part)
}

/** Short, and without characters that a key, a path or a terminal could stumble over. */
const plain = /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,99}$/

/** Whether an explicit fingerprint is its own key. Others are hashed. */
export function isPlainKey(parts: readonly string[]): boolean {
  return parts.length === 1 && plain.test(parts[0] ?? '')
}
