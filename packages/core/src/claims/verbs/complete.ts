import { InvalidInputError } from '../../errors.ts'
import { duration } from '../../port/input.ts'
import { integer } from '../../port/row.ts'
import type { CompleteOptions } from '../call-options.ts'
import type { Context } from '../context.ts'
import { resultJson } from '../input/canonical.ts'
import { checkRef } from '../input/ref.ts'
import type { ClaimRef, CompleteOutcome } from '../types.ts'
import { change, unchanged } from './change.ts'

/** Marks a claim that is still held as done, with a result that is given to everybody who asks within its window. */
export async function complete(
  context: Context,
  claim: ClaimRef,
  result?: unknown,
  options: CompleteOptions = {},
): Promise<CompleteOutcome> {
  const slots = {
    ...checkRef(context, 'complete', claim, options, ['expiresAt', 'token', 'state', 'result']),
    result: checkResult(context, result),
    keepFor: options.keepFor === undefined ? null : duration('keepFor', options.keepFor),
  }
  const statement = context.shapes[0].statements.complete().with(slots)
  const changed = await change(context, statement, slots, options.also)
  if (!('row' in changed)) return { completed: false, ...unchanged(changed, slots.token) }
  return { completed: true, expiresAt: integer(changed.row, 'expires_at') }
}

export function checkResult(context: Context, result: unknown): string | null {
  const text = resultJson(result)
  const { valueBytes } = context.driver.dialect.limits
  // Three bytes to a UTF-16 unit is the most that UTF-8 takes.
  if (text !== null && text.length * 3 > valueBytes && new TextEncoder().encode(text).length > valueBytes) {
    throw new InvalidInputError('result', 'is too long as JSON', `at most ${valueBytes} bytes`)
  }
  return text
}
