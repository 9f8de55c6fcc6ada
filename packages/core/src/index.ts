/** The public surface that belongs to no module: the port, and what is built on it. */

export * from './errors.ts'
export {
  type Installed,
  type InstallOptions,
  install,
  type ModuleState,
  moduleSchemas,
  requireSchema,
  type SchemaStateOptions,
  type SqlFile,
  schemaState,
  toSqlFiles,
} from './install/index.ts'
export type { Dialect, DialectName, Limits } from './port/dialect.ts'
export type { Driver, Expectation, Row, Statement, Value } from './port/driver.ts'
export type { Duration } from './port/input.ts'
export { identifier, isSql, join, raw, type Sql, sql } from './port/sql.ts'
