import { claimsSchema } from '../claims/schema.ts'
import { livenessSchema } from '../liveness/schema.ts'
import { outboxSchema } from '../outbox/schema.ts'
import { type DialectName, postgres, sqlite } from '../port/dialect.ts'
import type { Driver } from '../port/driver.ts'
import { wholeNumber } from '../port/input.ts'
import { markersSchema } from '../port/markers.ts'
import type { ModuleSchema } from '../port/schema.ts'
import { type Installed, installSchemas, schemaStates } from './installer.ts'
import { type SqlFile, sqlFiles } from './sql-files.ts'
import type { ModuleState } from './state.ts'

export type { Installed } from './installer.ts'
export type { SqlFile } from './sql-files.ts'
export type { ModuleState } from './state.ts'

/** The tables of every module, in the order in which they are made. */
export const moduleSchemas: readonly ModuleSchema[] = [
  claimsSchema,
  outboxSchema,
  livenessSchema,
  markersSchema,
]

export interface InstallOptions {
  /** Which modules' tables to make; all of Rowlock's by default. */
  readonly modules?: readonly ModuleSchema[]
  /** What every table's name begins with. Default `rowlock_`. */
  readonly prefix?: string
  /** Only tell what would be run. Default false. */
  readonly dryRun?: boolean
}

/**
 * Makes Rowlock's tables, or brings them up to date. Safe to call at every start, and from any number
 * of processes at once.
 * @throws SchemaError (`version`) when a newer version of Rowlock has changed the tables already.
 */
export function install(driver: Driver, options: InstallOptions = {}): Promise<Installed> {
  const { modules = moduleSchemas, ...rest } = options
  return installSchemas(driver, modules, rest)
}

export interface SchemaStateOptions {
  readonly modules?: readonly ModuleSchema[]
  readonly prefix?: string
}

/** How each module's tables stand against what this code knows. Changes nothing. */
export function schemaState(driver: Driver, options: SchemaStateOptions = {}): Promise<ModuleState[]> {
  const { modules = moduleSchemas, ...rest } = options
  return schemaStates(driver, modules, rest)
}

/**
 * Makes sure that the tables are what this code needs, without changing anything: for processes that
 * may not alter the schema.
 * @throws SchemaError (`version`) when migrations are missing, or newer ones have been applied.
 */
export async function requireSchema(driver: Driver, options: SchemaStateOptions = {}): Promise<void> {
  const { modules = moduleSchemas, ...rest } = options
  await schemaStates(driver, modules, { ...rest, require: true })
}

export interface SqlFilesOptions extends SchemaStateOptions {
  /** The number in the first file's name; give the next of your own where there are others. Default 1. */
  readonly firstNumber?: number
}

/**
 * The migrations as plain .sql files, for tools that apply such files by themselves:
 * `wrangler d1 migrations` (dialect `sqlite`), a database administrator. `install` knows afterwards
 * what they applied.
 */
export function toSqlFiles(dialect: DialectName, options: SqlFilesOptions = {}): SqlFile[] {
  const { modules = moduleSchemas, prefix, firstNumber = 1 } = options
  const first = wholeNumber('firstNumber', firstNumber, 0, 9999)
  return sqlFiles(dialect === 'sqlite' ? sqlite : postgres, modules, prefix, first)
}
