import { integer } from '../../port/row.ts'
import type { RenewOptions } from '../call-options.ts'
import { type Context, ttlMs } from '../context.ts'
import { checkRef } from '../input/ref.ts'
import type { ClaimRef, RenewOutcome } from '../types.ts'
import { change, unchanged } from './change.ts'

/** Gives a claim that is still held, and not completed, a new window from now on. */
export async function renew(
  context: Context,
  claim: ClaimRef,
  options: RenewOptions = {},
): Promise<RenewOutcome> {
  const slots = { ...checkRef(context, 'renew', claim, options), ttl: ttlMs(context, options.ttl) }
  const statement = context.shapes[0].statements.renew().with(slots)
  const changed = await change(context, statement, slots, options.also)
  if (!('row' in changed)) return { renewed: false, ...unchanged(changed, slots.token) }
  const expiresAt = integer(changed.row, 'expires_at')
  // It waited for the row until the new window had gone by.
  if (expiresAt < integer(changed.row, 'judged_at')) return { renewed: false, reason: 'lost' }
  return { renewed: true, expiresAt }
}
