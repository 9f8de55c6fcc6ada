import { installSchemas } from '../../../src/install/installer.ts'
import { createOutbox, outboxSchema } from '../../../src/outbox/index.ts'
import { type OutboxModel, outboxModel } from '../../../src/outbox/model.ts'
import type { Driver } from '../../../src/port/driver.ts'
import { equal } from '../../../src/testing/assert.ts'
import type { Engine } from '../../../src/testing/index.ts'
import { type Operation, options } from './operations.ts'

export interface Comparison {
  readonly sequences: number
  /** The first sequence after which the SQL and the model differ. */
  readonly difference?: { readonly sequence: string; readonly error: unknown }
}

/**
 * Runs every sequence of up to `depth` operations, behind each beginning, on the SQL and on the
 * model, and compares the last answer and all rows. `wrap` puts something between the outbox and the
 * database: that is how a changed statement is tried.
 */
export async function compare(given: {
  engine: Engine
  beginnings: readonly (readonly Operation[])[]
  operations: readonly Operation[]
  depth: number
  wrap?: (driver: Driver) => Driver
}): Promise<Comparison> {
  const { engine, beginnings, operations, depth, wrap = (driver) => driver } = given
  const { driver, snapshot, dispose } = await engine.open()
  let sequences = 0
  try {
    await installSchemas(driver, [outboxSchema])
    const fresh = snapshot!()
    for (const beginning of beginnings) {
      for (const rest of sequencesOf(operations, depth)) {
        if (!fresh()) throw new Error('the snapshot could not be brought back')
        const sequence = [...beginning, ...rest]
        sequences += 1
        try {
          equal(await outcome(createOutbox(wrap(driver), drawing()), sequence), await expected(sequence))
        } catch (error) {
          return { sequences, difference: { sequence: sequence.map(({ name }) => name).join(' > '), error } }
        }
      }
    }
    return { sequences }
  } finally {
    await dispose()
  }
}

/** The model is asked for the same sequences again and again: once is enough. */
const known = new Map<string, unknown>()

async function expected(sequence: readonly Operation[]): Promise<unknown> {
  const name = sequence.map((each) => each.name).join(' > ')
  if (!known.has(name)) known.set(name, await outcome(outboxModel(drawing()), sequence))
  return known.get(name)
}

async function outcome(outbox: OutboxModel, sequence: readonly Operation[]): Promise<unknown> {
  let answer: unknown
  for (const { run } of sequence) answer = await run(outbox)
  const { messages } = await outbox.list({ limit: 1000 })
  return withoutIds({ answer, messages, disabled: await outbox.disabled() })
}

/** Engines leave gaps between ids, where a dedup key was there already; their order shows all the same. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([name]) => name !== 'id')
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutIds(field)]))
}

/** The same numbers are drawn for both, anew for each sequence. */
function drawing() {
  const draws = [0, 0.75, 0.999_999_999, 0.25, 0.5]
  let drawn = 0
  return { ...options, random: () => draws[drawn++ % draws.length]! }
}

/** Shorter ones first. */
function* sequencesOf(operations: readonly Operation[], depth: number): Generator<readonly Operation[]> {
  if (depth > 1) yield* sequencesOf(operations, depth - 1)
  yield* sequencesOfExactly(operations, depth)
}

function* sequencesOfExactly(
  operations: readonly Operation[],
  depth: number,
): Generator<readonly Operation[]> {
  const beginnings = depth === 1 ? [[]] : sequencesOfExactly(operations, depth - 1)
  for (const beginning of beginnings) for (const each of operations) yield [...beginning, each]
}
