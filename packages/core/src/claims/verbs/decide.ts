import { GuardError } from '../../errors.ts'
import type { Row, Statement } from '../../port/driver.ts'
import type { Context, Shape } from '../context.ts'

/** A statement that claims, and what may have to go with it. */
export interface Decision {
  readonly shape: Shape
  readonly claim: Statement
  /** How many rows the claim must give for the companions to run. Left out: they find out by themselves. */
  readonly expect?: 1
  readonly also: readonly Statement[]
  /** The rows before the claim, for tables whose token does not tell a first win from a later one. */
  peek(): Statement
  unexpired(): Statement
}

/** `there`: the rows before the claim, where they were asked for. `applied`: false when all of it was undone. */
export interface Decided {
  readonly rows: readonly Row[]
  readonly there?: readonly Row[]
  readonly applied: boolean
}

/** Runs a statement that claims. No rows: nothing was won, and no companion was kept. */
export async function decide(context: Context, decision: Decision): Promise<Decided> {
  const { shape, claim, also, expect } = decision
  const { claimedAt, token } = shape.table.columns
  const peek = claimedAt !== null && token === null ? [decision.peek()] : []
  if (peek.length === 0 && also.length === 0) {
    return { rows: await context.driver.execute(claim), applied: true }
  }

  const own = expect === undefined || also.length === 0 ? claim : { ...claim, expect }
  const behind = also.length === 0 ? [] : [decision.unexpired(), ...also]
  try {
    const results = await context.driver.batch([...peek, own, ...behind])
    const rows = results[peek.length]!
    return peek.length === 0 ? { rows, applied: true } : { rows, there: results[0]!, applied: true }
  } catch (error) {
    // Lost, or over before it was told. A companion that fell short is the caller's affair.
    if (error instanceof GuardError && error.index <= peek.length + 1) {
      return { rows: [], applied: false }
    }
    throw error
  }
}
