import type { WriteOptions } from '../call-options.ts'
import type { Context } from '../context.ts'
import { checkRef } from '../input/ref.ts'
import type { ClaimRef, ReleaseOutcome } from '../types.ts'
import { change, unchanged } from './change.ts'
import { forget } from './near.ts'

/** Frees the key at once, if it is still this claim's. A completed claim is not freed. */
export async function release(
  context: Context,
  claim: ClaimRef,
  options: WriteOptions = {},
): Promise<ReleaseOutcome> {
  const slots = checkRef(context, 'release', claim, options)
  const statement = context.shapes[0].statements.release().with({ ...slots })
  const changed = await change(context, statement, slots, options.also)
  await forget(context, slots.key)
  if ('row' in changed) return { released: true }
  return { released: false, ...unchanged(changed, slots.token) }
}
