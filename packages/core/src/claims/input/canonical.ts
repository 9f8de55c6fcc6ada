import { InvalidInputError } from '../../errors.ts'
import { sha256 } from './hash.ts'

/**
 * JSON in one spelling: the members of objects in a fixed order, no white space. Two values that
 * JSON cannot tell apart give the same text.
 * @throws InvalidInputError for what JSON cannot carry: cycles, bigint, functions.
 */
export function canonicalJson(field: string, value: unknown): string {
  return json(field, value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [two]) => (one < two ? -1 : 1)))
      : member,
  )
}

/** The payload's fingerprint: SHA-256 of its canonical JSON, or null without a payload. */
export function fingerprintOf(payload: unknown): string | null {
  return payload === undefined ? null : sha256(canonicalJson('payload', payload))
}

/** A value as JSON text, or null for undefined. @throws InvalidInputError for what JSON cannot carry. */
export function resultJson(value: unknown): string | null {
  return value === undefined ? null : json('result', value)
}

function json(field: string, value: unknown, replacer?: (name: string, member: unknown) => unknown): string {
  let problem = 'is no JSON value'
  try {
    const text = JSON.stringify(value, replacer) as string | undefined
    if (text !== undefined) return text
  } catch (error) {
    problem = `cannot be written as JSON: ${(error as Error).message}`
  }
  throw new InvalidInputError(
    field,
    problem,
    'a JSON value: null, booleans, numbers, strings, arrays, objects',
  )
}
