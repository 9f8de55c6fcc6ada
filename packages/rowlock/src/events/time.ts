import { InvalidInputError } from '@rowlock/core'
import { describe } from '@rowlock/core/module'

/** Senders' clocks may run ahead by this much. */
const AHEAD_MS = 60_000
/** Below this (1973) a number of milliseconds is rather one of seconds. */
const FLOOR_MS = 100_000_000_000
const ISO = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?\s?(Z|[+-]\d\d:?\d\d)?)?$/i

/**
 * When an event happened, in whole ms: as it says, or when it was received if it says nothing or
 * claims to come from further ahead than clocks differ.
 * @throws InvalidInputError for what is no instant, and for seconds where milliseconds belong.
 */
export function readTime(given: unknown, receivedAt: number): number {
  if (given === undefined || given === null) return receivedAt
  const at = typeof given === 'string' ? fromText(given) : given
  if (typeof at !== 'number' || !Number.isFinite(at) || at < 0 || at > 8.64e15) throw wrong(given, 'is')
  if (typeof given === 'number' && at < FLOOR_MS && at > 0) throw wrong(given, 'looks like seconds:')
  return at > receivedAt + AHEAD_MS ? receivedAt : Math.floor(at)
}

/** A time without a zone is taken as UTC. */
function fromText(text: string): number {
  if (text.length > 40 || !ISO.test(text)) return Number.NaN
  const zoned = /(Z|[+-]\d\d:?\d\d)$/i.test(text) || text.length === 10
  return Date.parse((zoned ? text : `${text}Z`).replace(' ', 'T'))
}

function wrong(given: unknown, problem: string): InvalidInputError {
  return new InvalidInputError('at', `${problem} ${describe(given)}`, 'ISO 8601, or milliseconds since 1970')
}
