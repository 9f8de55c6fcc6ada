import { InvalidInputError } from '../../errors.ts'
import { describe } from '../../port/input.ts'
import type { AcquireManyOptions, ManyInput } from '../call-options.ts'
import { type Context, checkCompanions, nowSlot, ttlMs } from '../context.ts'
import type { ManyRow } from '../statements/acquire-many.ts'
import { checkHolder, checkValues } from './call.ts'

/** A call for many keys, checked. */
export interface ManyCall {
  /** As the caller wrote them, one for each input. */
  readonly keys: readonly string[]
  /** The stored key of each input. */
  readonly stored: readonly string[]
  /** Each stored key once. */
  readonly rows: ReadonlyMap<string, ManyRow>
  readonly slots: {
    readonly ttl: number
    readonly holder: string
    readonly now: number | null
    readonly fingerprint: null
  }
  readonly also: NonNullable<AcquireManyOptions['also']>
}

/** Checks what is given to claim many keys. @throws InvalidInputError before any SQL, and for all of them. */
export function checkMany(
  context: Context,
  inputs: readonly ManyInput[],
  options: AcquireManyOptions,
): ManyCall {
  checkCompanions(context, options.also)
  if (!Array.isArray(inputs)) throw new InvalidInputError('keys', `is ${describe(inputs)}`, 'an array')
  const { insert } = context.shapes[0].table
  const rows = new Map<string, ManyRow>()
  const keys: string[] = []
  const stored = inputs.map((input) => {
    const { key, values = undefined } = typeof input === 'object' && input !== null ? input : { key: input }
    const row = { key: context.keys.store(key), values: checkValues(insert, values) }
    if (Object.values(row.values).some((value) => value instanceof Uint8Array)) {
      throw new InvalidInputError(
        'values',
        'holds bytes',
        'text, numbers, booleans and null; bytes with acquire',
      )
    }
    keys.push(key)
    // The first of several wins; what the others brought is not written.
    if (!rows.has(row.key)) rows.set(row.key, row)
    return row.key
  })
  return {
    keys,
    stored,
    rows,
    slots: {
      ttl: ttlMs(context, options.ttl),
      holder: checkHolder(options.holder),
      now: nowSlot(context, options.now),
      fingerprint: null,
    },
    also: options.also ?? [],
  }
}
