import { again } from '../port/again.ts'
import { checkBatch, checkSingle } from '../port/check.ts'
import type { Dialect } from '../port/dialect.ts'
import type { Driver, Row, Statement } from '../port/driver.ts'
import { oneByOne } from '../port/one-by-one.ts'
import { checkSent } from './inside.ts'
import { flight, type Session, toError, uncommitted } from './session.ts'

/** A library that has connections and transactions of its own: a query builder. */
export interface Host {
  readonly dialect: Dialect
  /** Any connection, for statements that commit by themselves. */
  readonly any: Session
  /**
   * Opens a transaction (at READ COMMITTED where there is a choice), gives it to the work, and commits
   * it when the work is done, or rolls it back when it threw. Left out where there are no transactions.
   */
  transact?<T>(work: (session: Session) => Promise<T>): Promise<T>
}

/**
 * A driver over such a library. A batch is one of the library's transactions; a call that met a lock,
 * a deadlock or a serialization failure has applied nothing and is made again.
 */
export function hosted(host: Host, waitAtMostMs: number): Driver {
  const { dialect, any } = host
  const mayAgain = (cause: unknown) => any.fault(cause).kind === 'contended'

  const execute = async (statement: Statement): Promise<Row[]> => {
    checkSingle(statement)
    checkSent(dialect, statement)
    try {
      const { rows } = await again(waitAtMostMs, mayAgain, () => any.send(statement))
      return rows
    } catch (cause) {
      throw toError(any, cause, statement)
    }
  }

  const { transact } = host
  if (transact === undefined) return oneByOne(dialect, execute)
  return {
    dialect,
    atomicBatch: true,
    execute,
    async batch(statements) {
      checkBatch(dialect, statements)
      for (const statement of statements) checkSent(dialect, statement)
      try {
        return await again(waitAtMostMs, mayAgain, () => transaction(any, transact, statements))
      } catch (cause) {
        throw uncommitted(any, cause)
      }
    },
  }
}

/**
 * One transaction of the library's. Every statement has been answered without an error before the
 * library is let send COMMIT, so there is no aborted transaction that it could take for a success.
 */
async function transaction(
  any: Session,
  transact: NonNullable<Host['transact']>,
  statements: readonly Statement[],
): Promise<Row[][]> {
  let failed: { readonly cause: unknown } | undefined
  let committing = false
  try {
    return await transact(async (session) => {
      try {
        const results = await flight(session, statements)
        committing = true
        return results
      } catch (cause) {
        failed = { cause }
        throw cause
      }
    })
  } catch (cause) {
    // What went wrong with the rollback behind it says less than the first error.
    if (failed !== undefined) throw failed.cause
    throw committing ? toError(any, cause) : cause
  }
}
