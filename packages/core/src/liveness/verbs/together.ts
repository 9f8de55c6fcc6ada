import { GuardError, InvalidInputError } from '../../errors.ts'
import type { Driver, Row, Statement } from '../../port/driver.ts'

/** @throws InvalidInputError for companions on a driver that cannot commit them together. */
export function refuseAlso(driver: Driver, also: readonly Statement[] = []): void {
  if (also.length > 0 && !driver.atomicBatch) {
    throw new InvalidInputError('also', 'stands on a driver without an atomic batch', 'no companions')
  }
}

/**
 * Runs a verb's list in one batch. Where the statement at `decides` writes nothing there is nothing to do for the others:
 * with companions it says so in the batch, so that they do not run.
 * @returns null where it wrote nothing.
 */
export async function together(
  driver: Driver,
  list: readonly Statement[],
  also: readonly Statement[] = [],
  decides = 0,
): Promise<Row[][] | null> {
  if (also.length === 0) {
    const results = await driver.batch(list)
    return results[decides]!.length === 0 ? null : results
  }
  try {
    const guarded = list.map((one, index) => (index === decides ? { ...one, expect: 1 } : one))
    return await driver.batch([...guarded, ...also])
  } catch (error) {
    if (error instanceof GuardError && error.index === decides && error.actual === 0) return null
    throw error
  }
}

/** How many subjects one statement takes. */
const STEP = 1000

export function stepsOf<Item>(items: readonly Item[]): Item[][] {
  const steps: Item[][] = []
  for (let from = 0; from < items.length; from += STEP) steps.push(items.slice(from, from + STEP))
  return steps
}
