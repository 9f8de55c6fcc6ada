import type { Statement } from '../port/driver.ts'
import { postgresFault } from '../port/postgres-fault.ts'
import { sqliteFault } from '../port/sqlite-fault.ts'
import { type PostgresResult, replyOf } from './postgres-client.ts'
import type { Session } from './session.ts'
import { bind } from './sqlite-connection.ts'
import { narrowBigints } from './whole-numbers.ts'

/** What is used of a Drizzle database, or of a Drizzle transaction, on PostgreSQL. */
export interface DrizzlePostgres {
  execute(query: DrizzleText): PromiseLike<unknown>
  transaction<T>(
    work: (transaction: DrizzlePostgres) => Promise<T>,
    config: { isolationLevel: 'read committed' },
  ): PromiseLike<T>
}

/** What is used of a Drizzle database, or of a Drizzle transaction, on SQLite. */
export interface DrizzleSqlite {
  all(query: DrizzleText): unknown
  transaction(work: never): unknown
}

/** What Drizzle takes for a piece of SQL. */
export interface DrizzleText {
  getSQL(): never
}

/** A text with its values. Drizzle asks a piece of SQL for both, and this one gives them as they are. */
function textOf({ text }: Statement, params: readonly unknown[]): DrizzleText {
  const piece = { toQuery: () => ({ sql: text, params }) }
  return { getSQL: () => piece as never }
}

export function postgresSession(db: DrizzlePostgres): Session {
  return {
    pipelines: false,
    fault: postgresFault,
    async send(statement) {
      try {
        return replyOf(resultOf(await db.execute(textOf(statement, statement.values))))
      } catch (cause) {
        throw ownError(cause)
      }
    },
  }
}

export function sqliteSession(db: DrizzleSqlite): Session {
  return {
    pipelines: false,
    fault: sqliteFault,
    async send(statement) {
      try {
        const rows = (await db.all(textOf(statement, bind(statement)))) as Record<string, unknown>[]
        return { rows: narrowBigints(rows.map(withBytes)) }
      } catch (cause) {
        throw ownError(cause)
      }
    },
  }
}

/** postgres.js gives its rows as an array that carries the rest. */
interface RowList extends Array<object> {
  readonly command: string
  readonly columns?: readonly { readonly name: string; readonly type: number }[]
}

function resultOf(result: unknown): PostgresResult {
  if (!Array.isArray(result)) return result as PostgresResult
  const { command, columns = [] } = result as unknown as RowList
  const fields = columns.map(({ name, type }) => ({ name, dataTypeID: type }))
  return { command, rows: [...(result as object[])], fields }
}

/** libSQL hands out an ArrayBuffer for a blob. */
function withBytes(row: Record<string, unknown>): Record<string, unknown> {
  for (const column in row) {
    const value = row[column]
    if (value instanceof ArrayBuffer) row[column] = new Uint8Array(value)
  }
  return row
}

/**
 * The client's own error. Drizzle wraps it in one whose message is the whole query with its values,
 * and what a user wrote must not be taken for words of the engine, nor stand in a log.
 */
export function ownError(cause: unknown): unknown {
  const wraps = cause instanceof Error && 'query' in cause && 'params' in cause && cause.cause !== undefined
  return wraps ? cause.cause : cause
}
