import { InvalidInputError } from '../../errors.ts'
import { wholeNumber } from '../../port/input.ts'
import type { WriteOptions } from '../call-options.ts'
import { type Context, checkCompanions, needsColumns, nowSlot } from '../context.ts'
import type { ClaimColumn } from '../options.ts'
import type { ClaimRef } from '../types.ts'

/** The slots that name one claim. */
export interface RefSlots {
  readonly key: string
  readonly token: number
  readonly now: number | null
}

/** Checks what is given to change a claim. @throws InvalidInputError, SchemaError before any SQL. */
export function checkRef(
  context: Context,
  verb: string,
  claim: ClaimRef,
  options: WriteOptions,
  columns: readonly ClaimColumn[] = ['expiresAt', 'token'],
): RefSlots {
  needsColumns(context, verb, columns)
  checkCompanions(context, options.also)
  if (claim === null || typeof claim !== 'object') {
    throw new InvalidInputError('claim', `is ${String(claim)}`, 'what acquire gave, or its key and token')
  }
  return {
    key: context.keys.store(claim.key),
    token: wholeNumber('token', claim.token, 0, Number.MAX_SAFE_INTEGER),
    now: nowSlot(context, options.now),
  }
}
