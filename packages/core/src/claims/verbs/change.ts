import { GuardError, UnavailableError } from '../../errors.ts'
import type { Row, Statement } from '../../port/driver.ts'
import type { WriteOptions } from '../call-options.ts'
import type { Context } from '../context.ts'
import type { RefSlots } from '../input/ref.ts'
import type { Unchanged } from '../types.ts'
import { type Seen, seen } from '../view.ts'

/** What came of a statement that changes one claim: its row, or how the key stands instead. */
export type Changed =
  | { readonly row: Row }
  | { readonly stands: Seen | null }
  | { readonly cause: UnavailableError }

/** Runs a statement that changes one claim, with its companions. Without a row it looks why. */
export async function change(
  context: Context,
  statement: Statement,
  slots: RefSlots,
  also: WriteOptions['also'] = [],
): Promise<Changed> {
  try {
    const row = await written(context, statement, also)
    if (row !== undefined) return { row }
    const shape = context.shapes[0]
    const [found] = await context.driver.execute(shape.statements.look().with({ ...slots }))
    return { stands: found === undefined ? null : seen(context, shape, found, null) }
  } catch (error) {
    if (error instanceof UnavailableError) return { cause: error }
    throw error
  }
}

async function written(
  context: Context,
  statement: Statement,
  also: readonly Statement[],
): Promise<Row | undefined> {
  if (also.length === 0) return (await context.driver.execute(statement))[0]
  try {
    const [rows] = await context.driver.batch([{ ...statement, expect: 1 }, ...also])
    return rows![0]
  } catch (error) {
    // Only the verb's own statement may fall short; a companion's failure is the caller's.
    if (error instanceof GuardError && error.index === 0) return undefined
    throw error
  }
}

/** Why nothing was changed. */
export function unchanged(changed: Exclude<Changed, { row: Row }>, token: number): Unchanged {
  if ('cause' in changed) return { reason: 'unknown', cause: changed.cause }
  const { stands } = changed
  return { reason: stands?.token === token && stands.state === 'done' ? 'done' : 'lost' }
}
