import { InvalidInputError } from '../errors.ts'
import { again } from '../port/again.ts'
import { checkBatch, checkSingle } from '../port/check.ts'
import { postgres as dialect } from '../port/dialect.ts'
import type { Driver, Row, Statement } from '../port/driver.ts'
import { type Duration, duration } from '../port/input.ts'
import { postgresFault } from '../port/postgres-fault.ts'
import { checkSent, insideTransaction } from './inside.ts'
import { type PostgresClient, type PostgresPool, sessionOver, sourceOver } from './postgres-client.ts'
import { groupingOver } from './postgres-group.ts'
import { createNaming, type Naming } from './postgres-naming.ts'
import { type Source, transaction } from './postgres-session.ts'
import { toError, uncommitted } from './session.ts'

export type { PostgresClient, PostgresPool, PostgresPoolClient } from './postgres-client.ts'

export interface PostgresOptions {
  /**
   * Keep statements prepared on the server under names. Default false, which works through poolers in
   * transaction mode; where the pool is yours alone, true saves the server some work.
   */
  readonly prepare?: boolean
  /** How long a call that met a deadlock or a serialization failure is tried again. Default "10s". */
  readonly waitAtMost?: Duration
}

/**
 * A driver over a `Pool` of pg. Single statements commit by themselves; a batch is one transaction
 * at READ COMMITTED. No session state is used. With `pipeline: true` in the pool's own settings a
 * batch takes two round trips instead of one for each statement.
 *
 * With `{ transaction: true }` it takes one client on which the caller has opened a transaction:
 * every call is then part of that transaction, under a savepoint, and undoes only itself when it fails.
 */
export function postgres(pool: PostgresPool, options?: PostgresOptions & { transaction?: false }): Driver
export function postgres(client: PostgresClient, options: PostgresOptions & { transaction: true }): Driver
export function postgres(
  given: PostgresPool | PostgresClient,
  options: PostgresOptions & { transaction?: boolean } = {},
): Driver {
  const naming = createNaming(options.prepare ?? false)
  if (options.transaction === true) return insideTransaction(dialect, sessionOver(given, naming), given)
  if (!('connect' in given) || 'processID' in given) {
    throw new InvalidInputError(
      'client',
      'is a single connection',
      'a Pool, or { transaction: true } with it',
    )
  }
  return overPool(sourceOver(given, naming), naming, duration('waitAtMost', options.waitAtMost ?? '10s'))
}

function overPool(source: Source, naming: Naming, waitAtMostMs: number): Driver {
  const check = (statement: Statement) => checkSent(dialect, statement)
  const mayAgain = (cause: unknown) => naming.outdated(cause) || postgresFault(cause).kind === 'contended'

  const execute = async (statement: Statement): Promise<Row[]> => {
    checkSingle(statement)
    check(statement)
    try {
      const { rows } = await again(waitAtMostMs, mayAgain, () => source.any.send(statement))
      return rows
    } catch (cause) {
      throw toError(source.any, cause, statement)
    }
  }

  const batch = async (statements: readonly Statement[]): Promise<Row[][]> => {
    checkBatch(dialect, statements)
    statements.forEach(check)
    const work = () => source.hold((session, spoiled) => transaction(session, statements, spoiled))
    try {
      return await again(waitAtMostMs, mayAgain, work)
    } catch (cause) {
      // Whatever `transaction` did not name itself happened before it had a connection.
      throw uncommitted(source.any, cause)
    }
  }

  return {
    dialect,
    atomicBatch: true,
    execute,
    batch,
    grouping: groupingOver(source, { execute, batch, check, mayAgain }),
    async close() {
      source.close()
    },
  }
}
