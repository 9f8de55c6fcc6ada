import { InvalidInputError } from '../../errors.ts'
import type { Value } from '../../port/driver.ts'
import { describe, plainText } from '../../port/input.ts'
import type { AcquireOptions, WriteOptions } from '../call-options.ts'
import { type Context, checkCompanions, nowSlot, ttlMs } from '../context.ts'

/** One try at one key, checked: what the statements' slots are filled with. */
export interface Call {
  /** As the caller wrote it. */
  readonly key: string
  readonly slots: Readonly<Record<string, Value>> & {
    readonly key: string
    readonly ttl: number
    readonly holder: string
    readonly now: number | null
    readonly fingerprint: string | null
  }
  /** A payload was given (or known to be absent), so another one is a mismatch. */
  readonly comparesPayload: boolean
  readonly also: NonNullable<WriteOptions['also']>
}

/** Checks what is given to claim a key. @throws InvalidInputError before any SQL. */
export function checkCall(
  context: Context,
  key: string,
  options: AcquireOptions,
  payload?: { readonly fingerprint: string | null },
): Call {
  checkCompanions(context, options.also)
  const slots = {
    key: context.keys.store(key),
    ttl: ttlMs(context, options.ttl),
    holder: checkHolder(options.holder),
    now: nowSlot(context, options.now),
    fingerprint: payload?.fingerprint ?? null,
  }
  const { insert } = context.shapes[0].table
  return {
    key,
    slots:
      insert.length === 0 && options.values === undefined ? slots : withValues(slots, insert, options.values),
    comparesPayload: payload !== undefined,
    also: options.also ?? [],
  }
}

/** An id nobody else has. */
export function newHolder(): string {
  return crypto.randomUUID()
}

export function checkHolder(holder: string | undefined): string {
  return holder === undefined ? newHolder() : plainText('holder', holder, 200)
}

function withValues<Slots extends object>(
  slots: Slots,
  insert: readonly string[],
  values: AcquireOptions['values'],
): Slots {
  const checked = checkValues(insert, values)
  return { ...slots, ...Object.fromEntries(insert.map((column) => [`values.${column}`, checked[column]])) }
}

/** @throws InvalidInputError for a column without a value, a value without a column, and text that no engine stores faithfully. */
export function checkValues(
  insert: readonly string[],
  values: AcquireOptions['values'] = {},
): Readonly<Record<string, Value>> {
  const stray = Object.keys(values).find((column) => !insert.includes(column))
  if (stray !== undefined) {
    throw new InvalidInputError(`values.${stray}`, 'is no column of insert', insert.join(', ') || 'none')
  }
  for (const column of insert) {
    const value = values[column]
    if (value === undefined) throw new InvalidInputError(`values.${column}`, 'is missing', 'a value or null')
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
      throw new InvalidInputError(
        `values.${column}`,
        `is ${describe(value)}`,
        'well-formed Unicode without NUL',
      )
    }
  }
  return values
}
