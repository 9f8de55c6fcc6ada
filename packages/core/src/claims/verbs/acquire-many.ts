import { UnavailableError } from '../../errors.ts'
import type { Statement } from '../../port/driver.ts'
import type { AcquireManyOptions, ManyInput } from '../call-options.ts'
import { type Context, onShapes, type Shape } from '../context.ts'
import { checkMany, type ManyCall } from '../input/many.ts'
import { type Answer, judged, lost, type OneCall, unknown, won } from '../outcome.ts'
import { manyRows } from '../statements/acquire-many.ts'
import type { AcquireOutcome } from '../types.ts'
import { seen } from '../view.ts'
import { decide } from './decide.ts'

const ROUNDS = 5

/** The answer to each stored key. */
type Answers = Map<string, Answer>

/**
 * Claims many keys in one statement, each by itself. One answer for each input, in their order; of
 * a key that was given twice, the first is the winner.
 */
export async function acquireMany(
  context: Context,
  inputs: readonly ManyInput[],
  options: AcquireManyOptions = {},
): Promise<AcquireOutcome[]> {
  const call = checkMany(context, inputs, options)
  if (call.rows.size === 0) return []
  const answers = await answered(context, call)
  const told = new Set<string>()
  return call.stored.map((stored, index) => {
    const { outcome, leftMs } = answers.get(stored)!
    if (!outcome.won) return outcome
    if (!told.has(stored)) {
      told.add(stored)
      return { ...outcome, key: call.keys[index]! }
    }
    const { expiresAt, token, holder } = outcome
    return { won: false, reason: 'held', expiresAt, retryAfterMs: leftMs + 1, token, holder }
  })
}

async function answered(context: Context, call: ManyCall): Promise<Answers> {
  const answers: Answers = new Map()
  try {
    await onShapes(context, (shape) => contend(context, shape, call, answers))
  } catch (error) {
    const outcome = unknown(context, error)
    for (const key of call.stored) if (!answers.has(key)) answers.set(key, { outcome, leftMs: 0 })
  }
  return answers
}

async function contend(context: Context, shape: Shape, call: ManyCall, answers: Answers): Promise<void> {
  const open = () => [...call.rows.keys()].filter((key) => !answers.has(key))
  for (let round = 0; round < ROUNDS && open().length > 0; round++) {
    const applied = await claim(context, shape, call, open(), answers)
    if (open().length > 0) await look(context, shape, call, open(), answers)
    // Companions find what to do by the holder, so they must not run a second time.
    if (applied && call.also.length > 0) break
  }
  for (const key of open()) answers.set(key, lost(null, one(call, key)))
}

/** Runs the statement that decides. False: nothing of it was kept. */
async function claim(
  context: Context,
  shape: Shape,
  call: ManyCall,
  keys: readonly string[],
  answers: Answers,
): Promise<boolean> {
  const { statements, table } = shape
  const rows = manyRows(
    table,
    keys.map((key) => call.rows.get(key)!),
  )
  const chosen = { ...call.slots, keys: JSON.stringify(keys) }
  try {
    const decided = await decide(context, {
      claim: statements.acquireMany().with({ ...call.slots, rows }),
      peek: () => statements.lookMany().with(chosen),
      unexpired: (): Statement => statements.unexpired().with(chosen, 0),
      shape,
      also: call.also,
    })
    const there = decided.there && new Set(decided.there.map((row) => String(row.key)))
    for (const row of decided.rows) {
      const key = String(row.key)
      const answer = won(shape, row, one(call, key), there?.has(key))
      if (answer !== null) answers.set(key, answer)
    }
    return decided.applied
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    await look(context, shape, call, keys, answers).catch(() => {})
    if (keys.some((key) => !answers.has(key))) throw error
    return true
  }
}

/** Answers the keys that are held. */
async function look(
  context: Context,
  shape: Shape,
  call: ManyCall,
  keys: readonly string[],
  answers: Answers,
): Promise<void> {
  const statement = shape.statements.lookMany().with({ ...call.slots, keys: JSON.stringify(keys) })
  for (const row of await context.driver.execute(statement)) {
    const stands = seen(context, shape, row, call.slots.ttl)
    const answer = judged(stands, one(call, stands.key))
    if (answer !== null) answers.set(stands.key, answer)
  }
}

function one(call: ManyCall, key: string): OneCall {
  return { key, slots: call.slots, comparesPayload: false }
}
