import type { Statement } from '../port/driver.ts'
import { postgresFault } from '../port/postgres-fault.ts'
import { type PostgresResult, replyOf } from './postgres-client.ts'
import type { Session } from './session.ts'

/** What is used of a Drizzle database, or of a Drizzle transaction, on PostgreSQL. */
export interface DrizzlePostgres {
  execute(query: DrizzleText): PromiseLike<unknown>
  transaction<T>(
    work: (transaction: DrizzlePostgres) => Promise<T>,
    config: { isolationLevel: 'read committed' },
  ): PromiseLike<T>
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

/**
 * The client's own error. Drizzle wraps it in one whose message is the whole query with its values,
 * and what a user wrote must not be taken for words of the engine, nor stand in a log.
 */
export function ownError(cause: unknown): unknown {
  const wraps = cause instanceof Error && 'query' in cause && 'params' in cause && cause.cause !== undefined
  return wraps ? cause.cause : cause
}
