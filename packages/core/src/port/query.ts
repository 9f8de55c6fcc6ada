import { InvalidInputError } from '../errors.ts'
import type { Dialect } from './dialect.ts'
import type { Expectation, Statement, Value } from './driver.ts'
import { describe } from './input.ts'
import { shapeOf } from './shape.ts'
import { isSql, type Sql, statement } from './sql.ts'

/** A query in any of the forms people have it in: sql`...`, a statement, or a query of Kysely or Drizzle. */
export type Query = Sql | Statement | KyselyQuery | DrizzleQuery

/** A query builder of Kysely, made for the same engine. */
export interface KyselyQuery {
  compile(): { readonly sql: string; readonly parameters: readonly unknown[] }
}

/** A query builder of Drizzle, made for the same engine. */
export interface DrizzleQuery {
  toSQL(): { readonly sql: string; readonly params: readonly unknown[] }
}

export interface QueryOptions {
  /** How many rows the statement must give: a number, or 'some' for at least one. */
  readonly expect?: Expectation
  /** The statement's handle in results, logs and tests. */
  readonly name?: string
}

/** Any form of query as a statement. What the options leave out is taken from the query, then from `otherwise`. */
export function toStatement(
  dialect: Dialect,
  query: Query,
  { name, expect }: QueryOptions,
  otherwise: QueryOptions & { readonly name: string },
): Statement {
  const ready = read(dialect, query, otherwise.name)
  const wanted = expect ?? ready.expect ?? otherwise.expect
  const named = { name: name ?? ready.name, text: ready.text, values: ready.values }
  return wanted === undefined ? named : { ...named, expect: wanted }
}

function read(dialect: Dialect, query: Query, name: string): Statement {
  if (isSql(query)) return statement(dialect, query, { name })
  if (typeof query === 'object' && query !== null) {
    if ('text' in query && 'values' in query) return query
    if ('compile' in query) {
      const { sql, parameters } = query.compile()
      return { name, text: sql, values: parameters as readonly Value[] }
    }
    if ('toSQL' in query) {
      const { sql, params } = query.toSQL()
      return { name, text: sql, values: params as readonly Value[] }
    }
  }
  const accepted = 'sql`...`, a statement, or a query of Kysely or Drizzle'
  throw new InvalidInputError(name, `is ${describe(query)}`, accepted)
}

/** The statement with the rows it reads locked, where the engine locks rows and the text does not say so itself. */
export function locking(dialect: Dialect, given: Statement): Statement {
  const lock = statement(dialect, dialect.lockRows, { name: given.name }).text
  const { kind, locks } = shapeOf(given.text)
  if (lock === '' || kind !== 'select' || locks) return given
  return { ...given, text: `${given.text.replace(/[\s;]+$/, '')}\n${lock}` }
}
