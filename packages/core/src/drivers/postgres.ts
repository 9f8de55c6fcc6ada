import { InvalidInputError } from '../errors.ts'
import { again } from '../port/again.ts'
import { checkBatch, checkSingle, checkSize, checkText } from '../port/check.ts'
import { postgres as dialect } from '../port/dialect.ts'
import type { Driver, Row, Statement } from '../port/driver.ts'
import { type Duration, duration } from '../port/input.ts'
import { postgresFault } from '../port/postgres-fault.ts'
import { type PostgresClient, type PostgresPool, sessionOver, sourceOver } from './postgres-client.ts'
import { groupingOver } from './postgres-group.ts'
import { createNaming, type Naming } from './postgres-naming.ts'
import { type Source, savepoint, toError, transaction, uncommitted } from './postgres-session.ts'

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
  if (options.transaction === true) return insideTransaction(given, naming)
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
  const mayAgain = (cause: unknown) => naming.outdated(cause) || postgresFault(cause).kind === 'contended'

  const execute = async (statement: Statement): Promise<Row[]> => {
    checkSingle(statement)
    checkSent(statement)
    try {
      const { rows } = await again(waitAtMostMs, mayAgain, () => source.any.send(statement))
      return rows
    } catch (cause) {
      throw toError(cause, statement)
    }
  }

  const batch = async (statements: readonly Statement[]): Promise<Row[][]> => {
    checkBatch(dialect, statements)
    statements.forEach(checkSent)
    const work = () => source.hold((session, spoiled) => transaction(session, statements, spoiled))
    try {
      return await again(waitAtMostMs, mayAgain, work)
    } catch (cause) {
      // Whatever `transaction` did not name itself happened before it had a connection.
      throw uncommitted(cause)
    }
  }

  return {
    dialect,
    atomicBatch: true,
    execute,
    batch,
    grouping: groupingOver(source, { execute, batch, check: checkSent, mayAgain }),
    async close() {
      source.close()
    },
  }
}

const lastCalls = new WeakMap<object, Promise<unknown>>()

function insideTransaction(client: PostgresClient, naming: Naming): Driver {
  const session = sessionOver(client, naming)

  /** One after the other: savepoints of calls that run at once would come to lie inside one another. */
  const inTurn = (statements: readonly Statement[]): Promise<Row[][]> => {
    const work = () => savepoint(session, statements)
    const turn = (lastCalls.get(client) ?? Promise.resolve()).then(work, work)
    lastCalls.set(client, turn)
    return turn
  }

  return {
    dialect,
    atomicBatch: true,
    async execute(statement) {
      checkSingle(statement)
      checkSent(statement)
      const [rows] = await inTurn([statement])
      return rows as Row[]
    },
    async batch(statements) {
      checkBatch(dialect, statements)
      statements.forEach(checkSent)
      return inTurn(statements)
    },
  }
}

function checkSent(statement: Statement): void {
  checkText(statement.text)
  checkSize(dialect, statement)
}
