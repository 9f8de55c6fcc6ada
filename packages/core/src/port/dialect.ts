import { raw, type Sql, sql } from './sql.ts'

/**
 * What differs between engines, as data: names, limits and SQL fragments. A statement is put
 * together from these; where it needs more than two of them it is written out once per dialect,
 * side by side, and chosen with `perDialect`.
 */
export interface Dialect {
  readonly name: DialectName
  /** The marker of the nth parameter, counted from 1. */
  placeholder(position: number): string
  readonly limits: Limits
  /** The database's clock in whole milliseconds since 1970, read when the expression is evaluated. */
  readonly clock: Sql
  /** The larger of two numbers that are not NULL. */
  greater(left: Sql, right: Sql): Sql
  /** Null-safe equality. */
  same(left: Sql, right: Sql): Sql
  /**
   * Whether a text is among those that a sub-select gives, looked up in the index on it: left to itself PostgreSQL, whose
   * statistics know nothing of a parameter's elements, may compare each row with each element.
   */
  among(value: Sql, select: Sql): Sql
  /**
   * The elements of one JSON array parameter as a table with the columns `position` (from 0) and
   * `value` (text for strings; JSON for objects, read with `value ->> 'field'`).
   */
  texts(array: Sql): Sql
  objects(array: Sql): Sql
  /** Locks the rows of a SELECT against writers until the end of the transaction. */
  readonly lockRows: Sql
  /** As `lockRows`, leaving out rows that somebody else holds. */
  readonly lockFreeRows: Sql
  /** Behind an ORDER BY term: byte order, the same on every engine and in every locale. */
  readonly byteOrder: Sql
  /** The column type of whole numbers within 2^53: instants, counters. */
  readonly integer: Sql
  /** Behind a CREATE TABLE. */
  readonly tableOptions: Sql
  /** A column that numbers rows upwards and never uses a number twice. */
  readonly identity: Sql
}

export type DialectName = 'sqlite' | 'postgres'

export interface Limits {
  /** Bound parameters of one statement. */
  readonly parameters: number
  /** Bytes of SQL text of one statement. */
  readonly textBytes: number
  /** Bytes of one value. */
  readonly valueBytes: number
}

/** The instant that judges: the one that was injected in `slot`, otherwise the database's clock. */
export function instant(dialect: Dialect, injected: Sql): Sql {
  return sql`coalesce(cast(${injected} as bigint), ${dialect.clock})`
}

/** Chooses the text written for this dialect. */
export function perDialect<T>(dialect: Dialect, texts: Readonly<Record<DialectName, T>>): T {
  return texts[dialect.name]
}

/** SQLite in all its forms: node:sqlite, better-sqlite3, libSQL, Durable Objects. */
export const sqlite: Dialect = {
  name: 'sqlite',
  placeholder: () => '?',
  limits: { parameters: 32_766, textBytes: 1_000_000_000, valueBytes: 1_000_000_000 },
  // unixepoch('subsec') is NULL before SQLite 3.42, and with NULL for now everybody wins.
  clock: raw(`cast(round((julianday('now') - 2440587.5) * 86400000) as integer)`),
  greater: (left, right) => sql`max(${left}, ${right})`,
  same: (left, right) => sql`${left} is ${right}`,
  among: (value, select) => sql`${value} in (${select})`,
  texts: (array) => sql`(select key as position, value from json_each(${array}))`,
  objects: (array) => sql`(select key as position, value from json_each(${array}))`,
  lockRows: raw(''),
  lockFreeRows: raw(''),
  byteOrder: raw(''),
  integer: raw('integer'),
  tableOptions: raw(' strict'),
  identity: raw('integer primary key autoincrement'),
}

/** Cloudflare D1: SQLite with the service's own limits. */
export const d1Sqlite: Dialect = {
  ...sqlite,
  limits: { parameters: 100, textBytes: 100_000, valueBytes: 2_000_000 },
}

export const postgres: Dialect = {
  name: 'postgres',
  placeholder: (position) => `$${position}`,
  limits: { parameters: 65_535, textBytes: 1_000_000_000, valueBytes: 1_000_000_000 },
  // clock_timestamp(), not now(): that one stands still from the start of the transaction, and a
  // lease taken late in a long one would be born expired. floor: a cast rounds up.
  clock: raw('cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)'),
  greater: (left, right) => sql`greatest(${left}, ${right})`,
  same: (left, right) => sql`${left} is not distinct from ${right}`,
  among: (value, select) => sql`${value} = any(array(${select}))`,
  texts: (array) =>
    sql`(select ordinality - 1 as position, value from json_array_elements_text(cast(${array} as json)) with ordinality)`,
  objects: (array) =>
    sql`(select ordinality - 1 as position, value from json_array_elements(cast(${array} as json)) with ordinality)`,
  lockRows: raw(' for no key update'),
  lockFreeRows: raw(' for no key update skip locked'),
  byteOrder: raw(' collate "C"'),
  integer: raw('bigint'),
  tableOptions: raw(''),
  identity: raw('bigint generated always as identity primary key'),
}
