import { UnavailableError } from '../../errors.ts'
import type { AcquireOptions } from '../call-options.ts'
import { type Context, onShapes, type Shape, ttlMs } from '../context.ts'
import { type Call, checkCall } from '../input/call.ts'
import { type Answer, judged, lost, unknown, won } from '../outcome.ts'
import type { AcquireOutcome } from '../types.ts'
import { seen } from '../view.ts'
import { decide } from './decide.ts'
import { remember, remembered } from './near.ts'

/** How often a key is tried again that was lost and then found free. */
const ROUNDS = 5

/** Claims the key for one window. Exactly one caller wins it; all others are told who holds it, and until when. */
export async function acquire(
  context: Context,
  key: string,
  options: AcquireOptions = {},
): Promise<AcquireOutcome> {
  // A caller that brings its own clock wants that one to judge, and the cache has another.
  const near = options.now === undefined ? context.near : undefined
  if (near === undefined) return (await attempt(context, checkCall(context, key, options))).outcome
  ttlMs(context, options.ttl)
  const hit = await remembered(context, near, context.keys.store(key), options.holder)
  if (hit !== undefined) return hit
  const call = checkCall(context, key, options)
  const since = context.timers.elapsed()
  const answer = await attempt(context, call)
  await remember(context, near, call, answer, since)
  return answer.outcome
}

/** One try at a key: won, lost, or unknown. */
export async function attempt(context: Context, call: Call): Promise<Answer> {
  try {
    const answer = await onShapes(context, (shape) => contend(context, shape, call))
    context.lostLast = !answer.outcome.won
    return answer
  } catch (error) {
    return { outcome: unknown(context, error), leftMs: 0 }
  }
}

async function contend(context: Context, shape: Shape, call: Call): Promise<Answer> {
  const look = () => standing(context, shape, call)
  const first = (context.lookFirst ?? context.lostLast) ? await look() : null
  if (first !== null) return first
  for (let round = 0; round < ROUNDS; round++) {
    const answer = (await claim(context, shape, call, look)) ?? (await look())
    if (answer !== null) return answer
  }
  // Each time somebody else had it, and it was free again when we looked.
  return lost(null, call)
}

/** Runs the statement that decides. Null: it did not win. */
async function claim(
  context: Context,
  shape: Shape,
  call: Call,
  look: () => Promise<Answer | null>,
): Promise<Answer | null> {
  const { slots, also } = call
  try {
    const decided = await decide(context, {
      claim: shape.statements.acquire().with(slots),
      peek: () => shape.statements.look().with(slots),
      unexpired: () => shape.statements.unexpired().with({ ...slots, keys: JSON.stringify([slots.key]) }, 0),
      expect: 1,
      shape,
      also,
    })
    const [row] = decided.rows
    if (row === undefined) return null
    return won(shape, row, call, decided.there && decided.there.length > 0)
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    // The answer was lost, or the write lock could not be had: a look may still tell.
    const answer = await look().catch(() => null)
    if (answer === null) throw error
    return answer
  }
}

/** How the key stands. Null: free. */
async function standing(context: Context, shape: Shape, call: Call): Promise<Answer | null> {
  const [row] = await context.driver.execute(shape.statements.look().with(call.slots))
  return row === undefined ? null : judged(seen(context, shape, row, call.slots.ttl), call)
}
