import { GuardError, InvalidInputError, UnavailableError } from '../errors.ts'
import type { Driver, Row, Statement } from './driver.ts'

/**
 * Runs a verb's statement, with its companions in one batch where there are any.
 * @throws InvalidInputError for companions on a driver that cannot commit them together.
 */
export async function run(
  driver: Driver,
  statement: Statement,
  also: readonly Statement[] = [],
): Promise<Row[]> {
  if (also.length === 0) return await driver.execute(statement)
  if (!driver.atomicBatch) {
    throw new InvalidInputError('also', 'stands on a driver without an atomic batch', 'no companions')
  }
  const [rows = []] = await driver.batch([statement, ...also])
  return rows
}

/**
 * The same for a verb that must change exactly one row: with companions it says so in the batch, so
 * that they do not run for a loser; the loser gets no rows, as without companions.
 */
export async function runOne(
  driver: Driver,
  statement: Statement,
  also: readonly Statement[] = [],
): Promise<Row[]> {
  if (also.length === 0) return await run(driver, statement)
  try {
    return await run(driver, { ...statement, expect: 1 }, also)
  } catch (error) {
    if (error instanceof GuardError && error.index === 0 && error.actual === 0) return []
    throw error
  }
}

/** Could not ask, or could not hear the answer: `cause.applied` tells which. Never a yes or a no. */
export interface UnknownOutcome {
  readonly ok: false
  readonly reason: 'unknown'
  readonly cause: UnavailableError
}

/** Turns "could not ask, or could not hear" into an answer of its own. */
export async function orUnknown<Outcome>(ask: () => Promise<Outcome>): Promise<Outcome | UnknownOutcome> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof UnavailableError) return { ok: false, reason: 'unknown', cause: error }
    throw error
  }
}
