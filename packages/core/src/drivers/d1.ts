import { EngineError, type RowlockError } from '../errors.ts'
import { checkBatch, checkSingle, checkSize, checkText } from '../port/check.ts'
import { d1Sqlite as dialect } from '../port/dialect.ts'
import { type Driver, type Expectation, meets, type Row, type Statement } from '../port/driver.ts'
import { faultError } from '../port/fault.ts'
import { sqliteFault } from '../port/sqlite-fault.ts'
import { failedGuard, guardBehind } from './d1-guard.ts'
import { bindToD1, rowsFromD1 } from './d1-value.ts'

/** What is used of a D1 binding, or of a session of it (`withSession`). */
export interface D1Database {
  prepare(text: string): D1PreparedStatement
  batch(statements: D1PreparedStatement[]): Promise<D1Rows[]>
}

export interface D1PreparedStatement {
  bind(...values: unknown[]): D1PreparedStatement
  all(): Promise<D1Rows>
}

interface D1Rows {
  readonly results: unknown[]
}

/**
 * A driver over a D1 binding: `d1(env.DB)`. A batch is one call to D1, and with it go the guards that
 * prove its counts inside the database.
 *
 * A call whose answer was lost throws UnavailableError with applied 'unknown': D1 repeats reads by
 * itself, and writes never. Rows are counted from RETURNING, never from `meta`.
 */
export function d1(database: D1Database): Driver {
  const prepare = (statement: Statement) => database.prepare(statement.text).bind(...bindToD1(statement))

  return {
    dialect,
    atomicBatch: true,
    async execute(statement) {
      checkSingle(statement)
      check(statement)
      const prepared = prepare(statement)
      try {
        return rowsFromD1((await prepared.all()).results)
      } catch (cause) {
        throw toError(cause, statement)
      }
    },
    async batch(statements) {
      checkBatch(dialect, statements)
      const nonce = crypto.randomUUID()
      const sent: Statement[] = []
      const places = statements.map((statement, index) => {
        check(statement)
        const place = sent.push(statement) - 1
        if (proves(statement)) sent.push(guardBehind(statement, index, nonce))
        return place
      })
      const prepared = sent.map(prepare)
      let results: D1Rows[]
      try {
        results = await database.batch(prepared)
      } catch (cause) {
        throw failedGuard(cause, nonce, statements) ?? toError(cause)
      }
      return places.map((place, index) => proven(statements[index]!, rowsFromD1(results[place]!.results)))
    },
  }
}

function check(statement: Statement): void {
  checkText(statement.text)
  checkSize(dialect, statement)
}

function proves(statement: Statement): statement is Statement & { expect: Expectation } {
  return statement.expect !== undefined
}

/** The guard has spoken inside the database; if the rows that came back say otherwise, nothing is to be trusted. */
function proven(statement: Statement, rows: Row[]): Row[] {
  if (!proves(statement) || meets(statement.expect, rows.length)) return rows
  throw new EngineError('other', `${statement.name}: the guard let ${rows.length} rows pass`, {
    statement: statement.name,
    rows: rows.length,
  })
}

function toError(cause: unknown, statement?: Statement): RowlockError {
  return faultError(sqliteFault(cause), cause, statement?.name)
}
