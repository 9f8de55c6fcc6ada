import type { Driver } from '../port/driver.ts'
import { oneByOne } from '../port/one-by-one.ts'

/**
 * A driver without an atomic batch, made from any other: the statements of a batch run one by one,
 * each committing by itself, and what stood before one that fails stays. With it a suite or an
 * exploration shows that data stay right where the engine has no transactions at all.
 */
export function sequential(driver: Driver): Driver {
  return oneByOne(driver.dialect, (statement) => driver.execute(statement))
}
