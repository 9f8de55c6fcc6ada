import type { Dialect } from './dialect.ts'
import type { Sql } from './sql.ts'

/** A module's tables, as numbered steps. The installer is the only reader. */
export interface ModuleSchema {
  /** The module's name, as it stands in the table of applied migrations. */
  readonly module: string
  readonly migrations: readonly Migration[]
}

/**
 * One step. Once released it never changes; a later wish is a later step. Its statements are
 * idempotent (`if not exists`), so that two starters at once do no harm.
 */
export interface Migration {
  /** 1, 2, 3 … without gaps within the module. */
  readonly number: number
  readonly name: string
  statements(dialect: Dialect, tables: TableNames): readonly Sql[]
}

/** Gives a table's full name, quoted: `tables('claims')` is `"rowlock_claims"` by default. */
export type TableNames = (table: string) => Sql

/** What every table's name begins with unless the caller chose otherwise. */
export const DEFAULT_PREFIX = 'rowlock_'
