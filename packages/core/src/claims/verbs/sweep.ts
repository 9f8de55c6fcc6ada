import { InvalidInputError } from '../../errors.ts'
import { duration, wholeNumber } from '../../port/input.ts'
import type { SweepOptions } from '../call-options.ts'
import { type Context, nowSlot } from '../context.ts'
import type { SweepOutcome } from '../types.ts'

/** Deletes rows of Rowlock's own table that have long been free. Changes no answer: a free row and none are the same. */
export async function sweep(context: Context, options: SweepOptions = {}): Promise<SweepOutcome> {
  const { table, statements } = context.shapes[0]
  if (!table.owned) {
    throw new InvalidInputError('sweep', `would delete rows of ${table.name}`, "Rowlock's own table")
  }
  const limit = wholeNumber('limit', options.limit ?? 1000, 1, 10_000)
  const olderThan = duration('olderThan', options.olderThan ?? '1d')
  const slots = { ...context.keys.range(''), olderThan, limit, now: nowSlot(context, options.now) }
  const rows = await context.driver.execute(statements.sweep().with(slots))
  return { removed: rows.length, more: rows.length === limit }
}
