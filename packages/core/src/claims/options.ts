import type { Duration } from '../port/input.ts'
import type { Sql } from '../port/sql.ts'
import type { NearCache } from './near.ts'
import type { Timers } from './timers.ts'

/** What `createClaims` takes. Without `table` the claims live in Rowlock's own table. */
export interface ClaimsOptions {
  /** What the name of Rowlock's own table begins with; default `rowlock_`. */
  readonly prefix?: string | undefined
  /** Part of every key: the same key in two scopes is two keys. Not together with `table`. */
  readonly scope?: string | undefined
  /** The window of calls that name none. */
  readonly ttl?: Duration | undefined

  /** Your own table, `table` or `schema.table`. */
  readonly table?: string | undefined
  /** Its key column: TEXT, unique, NOT NULL. Default `key`. */
  readonly key?: string | undefined
  /** Columns of your own that the first win writes, from `values`. */
  readonly insert?: readonly string[] | undefined
  /** Columns of your own that every later win writes. All others are left as they are. */
  readonly onWin?: Readonly<Record<string, OnWin | Sql>> | undefined
  /** The claim's columns under other names; null: the table has none. */
  readonly columns?: Partial<Record<ClaimColumn, string | null>> | undefined
  /**
   * When the claim's columns are not there (yet). 'legacy': use what there is, down to plain first
   * come first served, call by call until the columns exist. 'throw': a SchemaError. 'unknown': the
   * third answer. Default 'legacy' for your own table, 'throw' for Rowlock's.
   */
  readonly whenColumnMissing?: 'legacy' | 'throw' | 'unknown' | undefined

  /** The clock of embedded use, in ms since 1970. Default: the database's, which all nodes share. */
  readonly clock?: (() => number) | undefined
  /** Ask before claiming. Default: only after a lost call, since losers tend to come in a row. */
  readonly lookFirst?: boolean | undefined
  /** Remembers losses in front of the database. Off by default. */
  readonly near?: NearCache | undefined
  /**
   * How long a loss may be remembered at most. Default: to the end of the window for claims that
   * nobody can free early (completed ones, tables without `token`), one second for the others.
   */
  readonly nearFor?: Duration | 'window' | undefined
  /** How far ahead `claimed_at` may lie before it is reported; default one minute. */
  readonly futureTolerance?: Duration | undefined
  /** What happens to such a row: 'held' as long as it says (default), or 'reclaim' by the next caller. */
  readonly whenInFuture?: 'held' | 'reclaim' | undefined
  /** Told of rows that cannot be right. Called in passing; must not throw. */
  readonly onSuspicion?: ((suspicion: Suspicion) => void) | undefined
  /** Pauses, elapsed time and chance, for tests. */
  readonly timers?: Timers | undefined
}

/** The claim's own columns, by what they are for. `state`, `result`, `fingerprint`: see `complete` and `once`. */
export type ClaimColumn = 'claimedAt' | 'expiresAt' | 'token' | 'holder' | 'state' | 'result' | 'fingerprint'

/** What a win writes to a column of yours: made by `excluded()` and `increment()`. */
export type OnWin = (place: { readonly row: Sql; readonly column: string }) => Sql

/**
 * A row that cannot be right. 'text': a time kept as text is never free again; 'seconds': a time in
 * seconds is long past when read as ms, so the claim is taken at once; 'future': a clock went back.
 */
export interface Suspicion {
  readonly kind: 'text' | 'seconds' | 'future'
  readonly table: string
  readonly key: string
  readonly column: string
  readonly value: number | string
}
