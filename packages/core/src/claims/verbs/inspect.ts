import { duration } from '../../port/input.ts'
import type { InspectOptions } from '../call-options.ts'
import { type Context, nowSlot, onShapes, type Shape } from '../context.ts'
import { parsed } from '../outcome.ts'
import type { ClaimView } from '../types.ts'
import { type Seen, seen } from '../view.ts'

/** The key's row as it stands, or null. A look only: it decides nothing. */
export async function inspect(
  context: Context,
  key: string,
  options: InspectOptions = {},
): Promise<ClaimView | null> {
  const slots = { key: context.keys.store(key), now: nowSlot(context, options.now) }
  return onShapes(context, async (shape) => {
    const ttl = viewTtl(context, shape, options)
    const [row] = await context.driver.execute(shape.statements.look().with(slots))
    return row === undefined ? null : { ...viewed(context, seen(context, shape, row, ttl)), key }
  })
}

/** When a claim ends in a table that does not say it. @throws InvalidInputError where nobody says it. */
export function viewTtl(context: Context, { table }: Shape, options: InspectOptions): number | null {
  const given = options.ttl ?? context.ttl
  const needed = table.columns.expiresAt === null && table.columns.claimedAt !== null
  return given === undefined && !needed ? null : duration('ttl', given ?? Number.NaN)
}

export function viewed(context: Context, row: Seen): ClaimView {
  const { state, claimedAt, expiresAt, token, holder } = row
  return {
    ...context.keys.show(row.key),
    state,
    claimedAt,
    expiresAt,
    token,
    holder,
    result: parsed(row.result),
  }
}
