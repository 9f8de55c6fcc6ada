import type { Statement, Value } from '../port/driver.ts'
import type { Duration } from '../port/input.ts'
import type { Sql } from '../port/sql.ts'
import type { ClaimView } from './types.ts'

/** What every verb takes. */
export interface CallOptions {
  /** The instant that judges, ms since 1970, for tests. Default: the `clock` option, else the database's clock. */
  readonly now?: number | undefined
}

export interface WriteOptions extends CallOptions {
  /** Statements that commit with the verb or not at all; for a loser they do not run. Needs an atomic batch. */
  readonly also?: readonly Statement[] | undefined
}

export interface AcquireOptions extends WriteOptions {
  /** The window, from the win on: never made longer by losers. Default: the `ttl` of `createClaims`. */
  readonly ttl?: Duration | undefined
  /** An id of your own. The same holder asking again while it holds the key is told so: a lost answer, found. */
  readonly holder?: string | undefined
  /** Values for the columns named by `insert`. */
  readonly values?: Readonly<Record<string, Value>> | undefined
}

export interface AcquireManyOptions extends WriteOptions {
  readonly ttl?: Duration | undefined
  /** One id for all keys of the call; companions find the rows that were won by it. */
  readonly holder?: string | undefined
}

/** A key, with the values of its row where the table takes any. */
export type ManyInput =
  | string
  | { readonly key: string; readonly values?: Readonly<Record<string, Value>> | undefined }

export interface RenewOptions extends WriteOptions {
  /** The new window, from now on. Default: the `ttl` of `createClaims`. */
  readonly ttl?: Duration | undefined
}

export interface CompleteOptions extends WriteOptions {
  /** How long from now the result stands. Default: to the end of the window as it is. */
  readonly keepFor?: Duration | undefined
}

export interface InspectOptions extends CallOptions {
  /** Needed on a table that has only `claimed_at`, to know when a claim ends. */
  readonly ttl?: Duration | undefined
}

export interface ListOptions extends InspectOptions {
  /** `next` of the page before. */
  readonly after?: string | undefined
  /** Only keys that begin so. */
  readonly prefix?: string | undefined
  readonly state?: ClaimView['state'] | undefined
  /** 1 to 1,000; default 100. */
  readonly limit?: number | undefined
}

export interface SweepOptions extends CallOptions {
  /** Only rows that have been free for longer. Default one day. */
  readonly olderThan?: Duration | undefined
  /** Rows of one call, 1 to 10,000; default 1,000. */
  readonly limit?: number | undefined
}

export interface RunOptions extends AcquireOptions {
  /** Default 'release'. 'complete' keeps the window: nobody runs again before it ends. */
  readonly afterSuccess?: 'release' | 'complete' | undefined
  /** When the work throws. Default 'release'; 'keep' leaves the key held until its window ends. */
  readonly afterFailure?: 'release' | 'keep' | undefined
  /** Handed on to the work. */
  readonly signal?: AbortSignal | undefined
}

export interface OnceOptions extends Omit<AcquireOptions, 'also'> {
  /** What the call is about. The same key with another payload is a 'mismatch'. Any JSON value. */
  readonly payload?: unknown
  /**
   * How long the key stays held when the worker falls silent; renewed while it works. Default: the
   * whole ttl, so that a crashed worker is not followed by another within the window.
   */
  readonly lease?: Duration | undefined
  readonly signal?: AbortSignal | undefined
}

export interface WaitOptions extends AcquireOptions {
  /** Give up after this long, with the last answer. Default: never. */
  readonly timeout?: Duration | undefined
  /** The longest pause between two tries; default 5 s. */
  readonly longestPause?: Duration | undefined
  /** Ends the wait by throwing the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface InstallOptions extends CallOptions {
  /**
   * What rows are that were there before their columns: 'free' (default), each won once more, or
   * 'held' for one `ttl` from when they were claimed, where the table tells that, else from now.
   */
  readonly existing?: 'free' | 'held' | undefined
  readonly ttl?: Duration | undefined
}

/** A claim on rows that are there already, inside a batch of your own. */
export interface ClaimExistingOptions extends CallOptions {
  /** The keys, or a sub-select of one column that gives them. */
  readonly keys: readonly string[] | Sql
  /** A further condition on the row, such as sql`state = 'open'`. On PostgreSQL it is evaluated twice. */
  readonly where?: Sql | undefined
  readonly ttl?: Duration | undefined
  /** Marks the rows that were won, for the statements behind it. */
  readonly holder: string
}
