import { EngineError, RowlockError, UnavailableError } from '../errors.ts'
import { checkBatch, checkRows, checkSingle } from '../port/check.ts'
import { sqlite as dialect } from '../port/dialect.ts'
import type { Answer, Call, Driver, Row, Statement } from '../port/driver.ts'
import { beforeCommit, faultError } from '../port/fault.ts'
import { type Duration, duration } from '../port/input.ts'
import { shapeOf } from '../port/shape.ts'
import { sqliteFault } from '../port/sqlite-fault.ts'
import { type Connection, connect, type SqliteDatabase } from './sqlite-connection.ts'
import { createLine } from './sqlite-line.ts'

export type { SqliteDatabase, SqliteStatement } from './sqlite-connection.ts'

export interface SqliteOptions {
  /** How long a call waits for other writers before it gives up. Default "10s". */
  readonly waitAtMost?: Duration
}

/** How long SQLite itself may wait, and the whole event loop with it. */
const BLOCK_AT_MOST_MS = 20

const NOT_ALONE = new UnavailableError('another transaction is open on this connection', 'no')

/**
 * A driver over an open node:sqlite `DatabaseSync` or better-sqlite3 `Database`. It switches foreign
 * keys on and sets the connection's busy_timeout to 20 ms; longer waiting is done without blocking
 * the event loop. While a transaction of yours is open on the connection, calls become part of it,
 * each undone by itself when it fails; open it with BEGIN IMMEDIATE.
 *
 * Its calls throw UnavailableError (applied 'no') when others held the database longer than `waitAtMost`.
 */
export function sqlite(database: SqliteDatabase, options: SqliteOptions = {}): Driver {
  const waitAtMostMs = duration('waitAtMost', options.waitAtMost ?? '10s')
  const connection = connect(database)
  const line = createLine(waitAtMostMs, isBlocked)
  connection.exec(`pragma busy_timeout = ${BLOCK_AT_MOST_MS}; pragma foreign_keys = on`)

  /** Does the work outside of any transaction: at once, or in its turn when others are in the way. */
  const alone = async <T>(work: () => T, call?: Call): Promise<T> => {
    const attempt = () => {
      if (connection.inTransaction()) throw NOT_ALONE
      return work()
    }
    try {
      if (!line.waiting() || reads(call)) return attempt()
    } catch (cause) {
      if (!isBlocked(cause)) throw toError(cause)
    }
    return line.join(attempt).catch((cause) => {
      throw toError(cause)
    })
  }

  return {
    dialect,
    atomicBatch: true,
    async execute(statement) {
      checkSingle(statement)
      const work = () => runNamed(connection, statement)
      return connection.inTransaction() ? inside(connection, work) : alone(work, statement)
    },
    async batch(statements) {
      checkBatch(dialect, statements)
      const work = () => together(connection, statements)
      return connection.inTransaction() ? inside(connection, work) : alone(work)
    },
    grouping: {
      ready: () => !connection.inTransaction(),
      run: (calls) =>
        alone(() => group(connection, calls)).catch(() => {
          // The engine took back the whole group, so nothing of it has been reported: one by one, the
          // call that is at fault gets its error and the others their rows.
          return Promise.allSettled(calls.map((call) => alone(() => runCall(connection, call))))
        }),
    },
  }
}

/** A call in the caller's own transaction. SQLite undoes a failed statement by itself, seldom more. */
function inside<T>(connection: Connection, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const error = toError(cause)
    if (connection.inTransaction()) throw error
    throw new EngineError('aborted-transaction', `${error.message}; it ended your transaction`, {}, cause)
  }
}

function together(connection: Connection, statements: readonly Statement[]): Row[][] {
  const nested = connection.inTransaction()
  connection.exec(nested ? 'savepoint rowlock' : 'begin immediate')
  try {
    const results = statements.map((statement, index) => {
      const rows = runNamed(connection, statement, true)
      checkRows(statement, index, rows.length)
      return rows
    })
    connection.exec(nested ? 'release rowlock' : 'commit')
    return results
  } catch (cause) {
    undo(connection, nested)
    throw cause
  }
}

/** Some errors end the transaction by themselves; then there is nothing left to roll back. */
function undo(connection: Connection, nested: boolean): void {
  if (connection.inTransaction())
    connection.exec(nested ? 'rollback to rowlock; release rowlock' : 'rollback')
}

/** One transaction for all: one write to the disk. Throws only when nothing of the group stays. */
function group(connection: Connection, calls: readonly Call[]): Answer[] {
  const onlyReads = calls.every(reads)
  if (!onlyReads) connection.exec('begin immediate')
  try {
    const answers = calls.map((call): Answer => {
      try {
        return { status: 'fulfilled', value: runCall(connection, call) }
      } catch (cause) {
        if (isBlocked(cause) || (!onlyReads && !connection.inTransaction())) throw cause
        return { status: 'rejected', reason: toError(cause) }
      }
    })
    if (!onlyReads) connection.exec('commit')
    return answers
  } catch (cause) {
    undo(connection, false)
    throw cause
  }
}

/** Whether a call only reads, and so needs no write lock. */
function reads(call?: Call): boolean {
  return call !== undefined && 'text' in call && shapeOf(call.text).kind === 'select'
}

function runCall(connection: Connection, call: Call): Row[][] {
  return 'text' in call ? [runNamed(connection, call)] : together(connection, call)
}

/** Runs a statement so that its error tells its name. That it was blocked is told as the engine told it. */
function runNamed(connection: Connection, statement: Statement, undone = false): Row[] {
  try {
    return connection.run(statement)
  } catch (cause) {
    if (isBlocked(cause) || cause instanceof RowlockError) throw cause
    const fault = sqliteFault(cause)
    throw faultError(undone ? beforeCommit(fault) : fault, cause, statement.name)
  }
}

function isBlocked(cause: unknown): boolean {
  return cause === NOT_ALONE || (!(cause instanceof RowlockError) && sqliteFault(cause).kind === 'contended')
}

function toError(cause: unknown): RowlockError {
  return cause instanceof RowlockError ? cause : faultError(sqliteFault(cause), cause)
}
