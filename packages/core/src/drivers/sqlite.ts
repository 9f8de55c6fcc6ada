import { GuardError, InvalidInputError } from '../errors.ts'
import { sqlite as dialect } from '../port/dialect.ts'
import { type Driver, meets, type Row, type Statement, type Value } from '../port/driver.ts'

/** What is used of a node:sqlite `DatabaseSync` or a better-sqlite3 `Database`. */
export interface SqliteDatabase {
  prepare(text: string): SqliteStatement
  exec(text: string): unknown
}

export interface SqliteStatement {
  all(...values: never[]): unknown[]
}

/** First version: no busy retry yet, no fault classes yet. */
export function sqlite(database: SqliteDatabase): Driver {
  const prepared = new Map<string, SqliteStatement>()
  const run = (statement: Statement): Row[] => {
    let ready = prepared.get(statement.text)
    if (ready === undefined) {
      ready = database.prepare(statement.text)
      prepared.set(statement.text, ready)
    }
    return ready.all(...(statement.values.map(bindable) as never[])) as Row[]
  }
  return {
    dialect,
    atomicBatch: true,
    async execute(statement) {
      if (statement.expect !== undefined)
        throw new InvalidInputError('expect', 'stands on a single statement', 'batch')
      return run(statement)
    },
    async batch(statements) {
      database.exec('begin immediate')
      try {
        const results = statements.map((statement, index) => {
          const rows = run(statement)
          const { expect } = statement
          if (expect !== undefined && !meets(expect, rows.length)) {
            throw new GuardError({ statement: statement.name, index, expected: expect, actual: rows.length })
          }
          return rows
        })
        database.exec('commit')
        return results
      } catch (error) {
        database.exec('rollback')
        throw error
      }
    },
  }
}

/** node:sqlite binds every number as REAL, and '5.0' in a TEXT column is no '5'. */
function bindable(value: Value): Value {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  return typeof value === 'boolean' ? BigInt(value ? 1 : 0) : value
}
