import { InvalidInputError } from '@rowlock/core'
import type { Context } from 'hono'

/** Yes or no from the query; a name that stands alone is yes. @throws InvalidInputError */
export function truthFromQuery(context: Context, name: string): boolean | undefined {
  const given = context.req.query(name)
  if (given === undefined) return undefined
  if (['1', 'true', 'yes', ''].includes(given)) return true
  if (['0', 'false', 'no'].includes(given)) return false
  throw new InvalidInputError(name, `is ${shown(given)}`, '1 or 0')
}

/** An instant from the query, ms since 1970. @throws InvalidInputError */
export function instantFromQuery(context: Context, name: string): number | undefined {
  const given = context.req.query(name)
  if (given === undefined) return undefined
  const isIso = /^\d{4}-\d\d/.test(given)
  const at = /^\d{1,15}$/.test(given) ? Number(given) : isIso ? Date.parse(given) : Number.NaN
  if (Number.isSafeInteger(at) && at >= 0) return at
  throw new InvalidInputError(name, `is ${shown(given)}`, 'ISO 8601, or milliseconds since 1970')
}

/** One of some words from the query. @throws InvalidInputError */
export function wordFromQuery<Word extends string>(
  context: Context,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const given = context.req.query(name)
  if (given === undefined) return undefined
  const found = words.find((word) => word === given)
  if (found !== undefined) return found
  throw new InvalidInputError(name, `is ${shown(given)}`, words.join(', '))
}

function shown(given: string): string {
  return JSON.stringify(given.slice(0, 40))
}
