import { EngineError, InvalidInputError } from '../errors.ts'
import { type Dialect, d1Sqlite, postgres, sqlite } from '../port/dialect.ts'
import type { Driver, Row, Statement } from '../port/driver.ts'
import { type Duration, describe, duration } from '../port/input.ts'
import { postgresFault } from '../port/postgres-fault.ts'
import { sqliteFault } from '../port/sqlite-fault.ts'
import { bindToD1, rowsFromD1 } from './d1-value.ts'
import { hosted } from './hosted.ts'
import { insideTransaction } from './inside.ts'
import type { Session } from './session.ts'
import { bind } from './sqlite-connection.ts'
import { narrowBigints } from './whole-numbers.ts'

/** What is used of a Kysely instance, or of a Kysely transaction. */
export interface KyselyDatabase {
  readonly isTransaction: boolean
  executeQuery(query: CompiledKyselyQuery): Promise<{ readonly rows: readonly unknown[] }>
  withoutPlugins(): KyselyDatabase
  transaction(): KyselyTransactionBuilder
  getExecutor(): { readonly adapter: KyselyAdapter }
}

export interface KyselyTransactionBuilder {
  setIsolationLevel(level: 'read committed'): KyselyTransactionBuilder
  execute<T>(work: (transaction: KyselyDatabase) => Promise<T>): Promise<T>
}

export interface KyselyAdapter {
  readonly supportsTransactionalDdl?: boolean
  readonly supportsReturning?: boolean
}

/** What Kysely makes of a query before it sends it. */
export interface CompiledKyselyQuery {
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly query: never
  readonly queryId: never
}

export interface KyselyOptions {
  /**
   * The database behind Kysely. PostgreSQL is recognised; SQLite and D1 look alike to Kysely and have
   * to be told apart. D1 has no transactions for Kysely to open: its driver says `atomicBatch: false`.
   */
  readonly dialect?: KyselyDialect
  /** How long a call that met a lock, a deadlock or a serialization failure is tried again. Default "10s". */
  readonly waitAtMost?: Duration
}

export type KyselyDialect = 'postgres' | 'sqlite' | 'd1'

/** What differs between the databases that Kysely may stand on. */
interface Backend {
  readonly dialect: Dialect
  readonly transactions: boolean
  readonly fault: Session['fault']
  bind(statement: Statement): readonly unknown[]
  rows(rows: readonly unknown[]): Row[]
}

const BACKENDS: Readonly<Record<KyselyDialect, Backend>> = {
  postgres: {
    dialect: postgres,
    transactions: true,
    fault: postgresFault,
    bind: ({ values }) => values,
    rows: narrowBigints,
  },
  sqlite: { dialect: sqlite, transactions: true, fault: sqliteFault, bind, rows: narrowBigints },
  d1: {
    dialect: d1Sqlite,
    transactions: false,
    fault: sqliteFault,
    bind: bindToD1,
    rows: (rows) => rowsFromD1([...rows]),
  },
}

/**
 * A driver over a Kysely instance: statements go through its connections and its log, past its plugins.
 * A batch is one of Kysely's transactions, at READ COMMITTED on PostgreSQL.
 *
 * Given a Kysely transaction, every call is part of that transaction, under a savepoint, and undoes
 * only itself when it fails.
 *
 * Rows come as Kysely's client gives them: where `pg` is left to hand out int8 as text, your own
 * statements see text, as they do without Rowlock.
 *
 * @throws InvalidInputError where the dialect was not given and cannot be known.
 */
export function kysely(db: KyselyDatabase, options: KyselyOptions = {}): Driver {
  const waitAtMostMs = duration('waitAtMost', options.waitAtMost ?? '10s')
  const backend = BACKENDS[dialectOf(db, options.dialect)]
  const { dialect } = backend
  const any = sessionOver(db, backend)
  if (db.isTransaction) return insideTransaction(dialect, any, db)
  if (!backend.transactions) return hosted({ dialect, any }, waitAtMostMs)
  const begin = (): KyselyTransactionBuilder =>
    dialect === postgres ? db.transaction().setIsolationLevel('read committed') : db.transaction()
  return hosted(
    {
      dialect,
      any,
      transact: (work) =>
        begin()
          .execute((transaction) => work(sessionOver(transaction, backend)))
          .catch(rolledBack),
    },
    waitAtMostMs,
  )
}

function sessionOver(db: KyselyDatabase, { bind, rows, fault }: Backend): Session {
  const plain = db.withoutPlugins()
  return {
    pipelines: false,
    fault,
    async send(statement) {
      const result = await plain.executeQuery(compiled(statement.text, bind(statement)))
      return { rows: rows(result.rows) }
    },
  }
}

let compiledSoFar = 0

/** What `CompiledQuery.raw` of Kysely makes: text that is sent as it is. */
function compiled(text: string, parameters: readonly unknown[]): CompiledKyselyQuery {
  const query = { kind: 'RawNode', sqlFragments: [text], parameters: [] }
  const queryId = { queryId: `rowlock-${++compiledSoFar}` }
  return { sql: text, parameters, query: query as never, queryId: queryId as never }
}

/** Kysely looks at the tag of COMMIT, and says so when it was ROLLBACK. */
function rolledBack(cause: unknown): never {
  if ((cause as Error)?.name !== 'AbortedTransactionError') throw cause
  throw new EngineError('aborted-transaction', 'the server answered COMMIT with ROLLBACK', {}, cause)
}

/**
 * PostgreSQL is known by what its adapter says it can do. SQLite and D1 have the same adapter.
 * @throws InvalidInputError where that leaves it open, or says otherwise than the option.
 */
function dialectOf(db: KyselyDatabase, given: KyselyDialect | undefined): KyselyDialect {
  if (typeof db?.getExecutor !== 'function') {
    throw new InvalidInputError('db', `is ${describe(db)}`, 'a Kysely instance or a Kysely transaction')
  }
  if (given !== undefined && !Object.hasOwn(BACKENDS, given)) {
    throw new InvalidInputError('dialect', `is ${describe(given)}`, "'postgres', 'sqlite' or 'd1'")
  }
  const { supportsReturning, supportsTransactionalDdl } = db.getExecutor().adapter
  if (supportsReturning !== true) {
    throw new InvalidInputError('db', 'stands on a database without RETURNING', 'PostgreSQL, SQLite or D1')
  }
  const isPostgres = supportsTransactionalDdl === true
  if (given === undefined && isPostgres) return 'postgres'
  if (given === undefined) {
    throw new InvalidInputError('dialect', 'was not given: SQLite and D1 look alike here', "'sqlite' or 'd1'")
  }
  if (isPostgres !== (given === 'postgres')) {
    const accepted = isPostgres ? "'postgres', which is what Kysely stands on" : "'sqlite' or 'd1'"
    throw new InvalidInputError('dialect', `is ${describe(given)}`, accepted)
  }
  return given
}
