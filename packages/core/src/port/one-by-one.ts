import { checkBatch, checkRows } from './check.ts'
import type { Dialect } from './dialect.ts'
import type { Driver, Row, Statement } from './driver.ts'

/**
 * A driver without an atomic batch: the statements of a batch run one by one, each committing by
 * itself, and what stood before one that fails stays.
 */
export function oneByOne(dialect: Dialect, execute: (statement: Statement) => Promise<Row[]>): Driver {
  return {
    dialect,
    atomicBatch: false,
    execute,
    async batch(statements) {
      checkBatch(dialect, statements)
      const results: Row[][] = []
      for (const [index, { expect: _, ...statement }] of statements.entries()) {
        const rows = await execute(statement)
        checkRows(statements[index]!, index, rows.length)
        results.push(rows)
      }
      return results
    },
  }
}
