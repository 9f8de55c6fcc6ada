import { InvalidInputError } from '../../errors.ts'
import { describe, duration, instantOrNull, wholeNumber } from '../../port/input.ts'
import { DEFAULT_PREFIX } from '../../port/schema.ts'
import type { OutboxOptions } from '../types.ts'

/** The options of an outbox, read and with their defaults. Lengths of time in ms. */
export interface Settings {
  readonly prefix: string
  readonly random: () => number
  readonly attempts: number
  readonly maxAgeMs: number
  readonly firstDelayMs: number
  readonly longestDelayMs: number
  readonly longestRetryAfterMs: number
  readonly payloadBytes: number
  /** The instant of a call: the one given, else the `clock` option's, else null for the database's. */
  now(given: number | undefined): number | null
}

const PREFIX = /^[a-z_][a-z0-9_]{0,31}$/

/** @throws InvalidInputError for an option outside its bounds. */
export function settings(options: OutboxOptions = {}): Settings {
  const { prefix = DEFAULT_PREFIX, clock, random = Math.random } = options
  if (!PREFIX.test(prefix)) {
    throw new InvalidInputError(
      'prefix',
      `is ${describe(prefix)}`,
      '1 to 32 lower-case letters, digits and underscores, not beginning with a digit',
    )
  }
  return {
    prefix,
    random,
    attempts: wholeNumber('attempts', options.attempts ?? 25, 1, 1_000_000),
    maxAgeMs: duration('maxAge', options.maxAge ?? '3d'),
    firstDelayMs: duration('firstDelay', options.firstDelay ?? '5s'),
    longestDelayMs: duration('longestDelay', options.longestDelay ?? '6h'),
    longestRetryAfterMs: duration('longestRetryAfter', options.longestRetryAfter ?? '1d'),
    payloadBytes: wholeNumber('payloadBytes', options.payloadBytes ?? 262_144, 1, 1_000_000_000),
    now: (given) => instantOrNull('now', given ?? clock?.()),
  }
}

/** What is left of an error's text: PostgreSQL stores no NUL, and nobody reads more. */
export function errorText(given: unknown): string {
  return String(given).slice(0, 2000).replaceAll('\0', '\uFFFD').toWellFormed()
}

/**
 * How long to wait before the next attempt, in ms: doubled with every attempt up to the longest, half
 * of it drawn, so that messages that failed together do not come back together; never before a
 * Retry-After.
 */
export function delayAfter(given: Settings, attempts: number, retryAfterMs: number | undefined): number {
  const doublings = Math.min(wholeNumber('attempts', attempts, 0, Number.MAX_SAFE_INTEGER), 50)
  const whole = Math.min(given.firstDelayMs * 2 ** Math.max(doublings - 1, 0), given.longestDelayMs)
  const drawn = Math.ceil(whole / 2 + given.random() * (whole / 2))
  if (retryAfterMs === undefined) return drawn
  const asked = wholeNumber('retryAfterMs', retryAfterMs, 0, Number.MAX_SAFE_INTEGER)
  return Math.max(drawn, Math.min(asked, given.longestRetryAfterMs))
}
