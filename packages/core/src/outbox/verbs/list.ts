import { InvalidInputError } from '../../errors.ts'
import { describe, plainText, wholeNumber } from '../../port/input.ts'
import { LONGEST_KEY, LONGEST_NAME } from '../input/message.ts'
import type { Outbox, Parts } from '../outbox.ts'
import { list as statement } from '../statements/index.ts'
import type { ListOptions } from '../types.ts'
import { stored } from './stored.ts'

const STATES = ['pending', 'leased', 'sent', 'cancelled', 'dead']

export function list({ driver, tables }: Parts): Outbox['list'] {
  return async (options = {}) => {
    check(options)
    const limit = wholeNumber('limit', options.limit ?? 100, 1, 1000)
    const rows = await driver.execute(statement(driver.dialect, tables, options, limit + 1))
    const messages = rows.slice(0, limit).map(stored)
    return { messages, next: rows.length > limit ? (messages.at(-1)?.id ?? null) : null }
  }
}

function check({ state, before, ...names }: ListOptions): void {
  if (state !== undefined && !STATES.includes(state)) {
    throw new InvalidInputError('state', `is ${describe(state)}`, STATES.join(', '))
  }
  if (before !== undefined) wholeNumber('before', before, 0, Number.MAX_SAFE_INTEGER)
  const longest = {
    destination: LONGEST_NAME,
    topic: LONGEST_NAME,
    run: LONGEST_NAME,
    orderingKey: LONGEST_KEY,
    dedupKey: LONGEST_KEY,
  }
  for (const [field, most] of Object.entries(longest)) {
    const given = names[field as keyof typeof longest]
    if (given !== undefined) plainText(field, given, most)
  }
}
