import { InvalidInputError } from '../errors.ts'

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}
const LENGTH = /^([1-9][0-9]{0,15})(ms|s|m|h|d|w)$/

/** A length of time: milliseconds, or a whole number with a unit: "500ms", "30s", "15m", "12h", "7d", "2w". */
export type Duration = number | string

/** The longest length of time that is taken anywhere: ten years. */
export const LONGEST_MS = 10 * 366 * UNITS.d!

/**
 * Reads a length of time as whole milliseconds.
 * @throws InvalidInputError for zero, negative, fractional, not-a-number and over-long lengths: a
 * lease of no or negative length makes everybody a winner.
 */
export function duration(field: string, given: Duration, longestMs: number = LONGEST_MS): number {
  const ms = typeof given === 'string' ? parse(given) : given
  if (typeof ms !== 'number' || !Number.isSafeInteger(ms) || ms <= 0 || ms > longestMs) {
    throw new InvalidInputError(
      field,
      `is ${describe(given)}`,
      `a whole number of milliseconds from 1 to ${longestMs}, or a length such as "500ms", "30s", "15m", "12h", "7d", "2w"`,
    )
  }
  return ms
}

function parse(given: string): number {
  const [, count, unit] = LENGTH.exec(given) ?? []
  return count === undefined || unit === undefined ? Number.NaN : Number(count) * UNITS[unit]!
}

/**
 * A non-empty text that every engine stores as it is.
 * @throws InvalidInputError for empty text, NUL (PostgreSQL cannot store it), lone surrogates (D1
 * folds them all into one) and more than `longest` UTF-16 units.
 */
export function plainText(field: string, given: unknown, longest: number): string {
  const accepted = `a non-empty string of at most ${longest} characters, well-formed Unicode without NUL`
  if (typeof given !== 'string') throw new InvalidInputError(field, `is ${describe(given)}`, accepted)
  if (given === '') throw new InvalidInputError(field, 'is empty', accepted)
  if (given.length > longest) throw new InvalidInputError(field, `has ${given.length} characters`, accepted)
  if (given.includes('\0')) throw new InvalidInputError(field, 'holds a NUL character', accepted)
  if (!given.isWellFormed()) throw new InvalidInputError(field, 'holds a lone surrogate', accepted)
  return given
}

/** A whole number within bounds. @throws InvalidInputError outside them. */
export function wholeNumber(field: string, given: unknown, least: number, most: number): number {
  if (Number.isSafeInteger(given) && (given as number) >= least && (given as number) <= most)
    return given as number
  throw new InvalidInputError(field, `is ${describe(given)}`, `a whole number from ${least} to ${most}`)
}

/** An injected instant (ms since 1970) for tests and embedded use, or null for the database's clock. */
export function instantOrNull(field: string, given: number | undefined): number | null {
  return given === undefined ? null : wholeNumber(field, given, 0, 8_640_000_000_000_000)
}

/** A value as an error message shows it: short, and never an object's insides. */
export function describe(given: unknown): string {
  if (typeof given === 'string')
    return given.length > 40 ? `${JSON.stringify(given.slice(0, 40))}…` : JSON.stringify(given)
  return typeof given === 'object' && given !== null ? 'an object' : String(given)
}
