import { checkBatch, checkRows } from '../port/check.ts'
import type { Driver } from '../port/driver.ts'

/**
 * A driver without an atomic batch, made from any other: the statements of a batch run one by one,
 * each committing by itself, and what stood before one that fails stays. With it a suite or an
 * exploration shows that data stay right where the engine has no transactions at all.
 */
export function sequential(driver: Driver): Driver {
  return {
    dialect: driver.dialect,
    atomicBatch: false,
    execute: (statement) => driver.execute(statement),
    async batch(statements) {
      checkBatch(driver.dialect, statements)
      const results = []
      for (const [index, { expect: _, ...statement }] of statements.entries()) {
        const rows = await driver.execute(statement)
        checkRows(statements[index]!, index, rows.length)
        results.push(rows)
      }
      return results
    },
  }
}
