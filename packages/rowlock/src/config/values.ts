import { type Duration, InvalidInputError } from '@rowlock/core'
import { duration } from '@rowlock/core/module'

/**
 * Readers of one setting each. A flag and the environment give text, the file gives JSON; both are
 * taken. Each throws InvalidInputError naming the setting and what it accepts.
 */
export type Reader<T> = (field: string, given: unknown) => T

export const text: Reader<string> = (field, given) => {
  if (typeof given === 'string' && given.trim() !== '' && !/\p{Cc}/u.test(given)) return given.trim()
  throw new InvalidInputError(field, `is ${shown(given)}`, 'a text without control characters')
}

/** Yes or no. A flag that stands alone is yes. */
export const flag: Reader<boolean> = (field, given) => {
  if (typeof given === 'boolean') return given
  const word = typeof given === 'string' ? given.trim().toLowerCase() : ''
  if (['', 'true', '1', 'yes', 'on'].includes(word) && typeof given === 'string') return true
  if (['false', '0', 'no', 'off'].includes(word)) return false
  throw new InvalidInputError(field, `is ${shown(given)}`, 'true or false')
}

export function wholeNumber(least: number, most: number): Reader<number> {
  return (field, given) => {
    const number = typeof given === 'string' && /^[0-9]{1,15}$/.test(given.trim()) ? Number(given) : given
    if (Number.isSafeInteger(number) && (number as number) >= least && (number as number) <= most) {
      return number as number
    }
    throw new InvalidInputError(field, `is ${shown(given)}`, `a whole number from ${least} to ${most}`)
  }
}

/** A length of time in ms, from 1 ms to `longest`. */
export function length(longestMs: number): Reader<number> {
  return (field, given) => {
    const digits = typeof given === 'string' && /^[0-9]{1,15}$/.test(given.trim())
    return duration(field, digits ? Number(given) : (given as Duration), longestMs)
  }
}

/** An address people reach the hub under, without a slash at its end. */
export const publicAddress: Reader<string> = (field, given) => {
  const accepted = 'an address such as https://rowlock.example.com'
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidInputError(field, `is ${shown(given)}`, accepted)
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.pathname !== '/') {
    throw new InvalidInputError(field, 'has a path, a query or a user', accepted)
  }
  return url.origin
}

/** A SQLite file, or the address of a PostgreSQL database. */
export const database: Reader<string> = (field, given) => {
  const accepted = 'a path of a SQLite file, ":memory:", or postgres://user@host/database'
  const db = typeof given === 'string' ? given.trim() : ''
  if (db === '' || /\p{Cc}/u.test(db)) throw new InvalidInputError(field, `is ${shown(given)}`, accepted)
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(db)?.[1]?.toLowerCase()
  if (scheme !== undefined && !['postgres', 'postgresql'].includes(scheme)) {
    throw new InvalidInputError(field, `begins with ${scheme}://`, accepted)
  }
  return db
}

function shown(given: unknown): string {
  if (typeof given !== 'string')
    return typeof given === 'object' && given !== null ? 'an object' : String(given)
  return given.length > 60 ? `${JSON.stringify(given.slice(0, 60))}…` : JSON.stringify(given)
}
