/** The public surface that belongs to no module: the port, and what is built on it. */

export { excluded, increment } from './claims/index.ts'
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
export {
  type Atomic,
  type AtomicOptions,
  atomic,
  type Committed,
  type FailedCondition,
} from './port/atomic.ts'
export type { Dialect, DialectName, Limits } from './port/dialect.ts'
export type { Answer, Call, Driver, Expectation, Grouping, Row, Statement, Value } from './port/driver.ts'
export { type GroupedOptions, grouped } from './port/grouped.ts'
export type { Duration } from './port/input.ts'
export { markersSchema, type SweepMarkersOptions, sweepMarkers } from './port/markers.ts'
export { type ObservedOptions, observed, type StatementEvent } from './port/observed.ts'
export { type Finding, type Probe, probe } from './port/probe.ts'
export type { DrizzleQuery, KyselyQuery, Query, QueryOptions } from './port/query.ts'
export { identifier, isSql, join, raw, type Sql, sql, statement } from './port/sql.ts'
