import type { RowlockError } from '../errors.ts'

/**
 * The key is this caller's until `expiresAt`. Every write that the claim is to protect should carry
 * `guard(claim)` or compare `token`: a winner that is paused can outlive its window.
 */
export interface Claim {
  readonly won: true
  readonly key: string
  /**
   * The fencing number: a later win of the same key has a larger one. Null only for a win over a
   * table that has no column to keep it in.
   */
  readonly token: number | null
  /** The id of this acquisition. */
  readonly holder: string
  /** The last instant (ms since 1970, on the clock that judged) at which the key is held. */
  readonly expiresAt: number
  /** 'first': the row was inserted; 'again': an existing row was taken over. */
  readonly from: 'first' | 'again'
}

/** Somebody else has the key. An answer, not an error. */
export interface Lost {
  readonly won: false
  /** 'held': being worked on; 'done': completed within the window; 'mismatch': same key, other payload (`once`). */
  readonly reason: 'held' | 'done' | 'mismatch'
  /** Null where the table keeps no time. */
  readonly expiresAt: number | null
  /** At least 1: after so many ms the key is free, unless it is renewed or freed before. */
  readonly retryAfterMs: number
  readonly token: number | null
  readonly holder: string | null
  /** What the winner gave to `complete`; only with 'done'. */
  readonly result?: unknown
}

/** The database could not be asked, or its answer was lost. Neither yes nor no. */
export interface Unknown {
  readonly won: false
  readonly reason: 'unknown'
  readonly cause: RowlockError
}

export type AcquireOutcome = Claim | Lost | Unknown

/** What names a claim in later calls: a `Claim`, or its key and token as you stored them. */
export type ClaimRef = Pick<Claim, 'key' | 'token'>

/**
 * Why a claim was not changed. 'lost': it has run out, or somebody else has taken the key over;
 * 'done': it is completed already, which is final for its window; 'unknown': see `Unknown`.
 * After 'unknown' the same call may be made again: none of them does its work twice.
 */
export type Unchanged =
  | { readonly reason: 'lost' | 'done' }
  | { readonly reason: 'unknown'; readonly cause: RowlockError }

export type RenewOutcome =
  | { readonly renewed: true; readonly expiresAt: number }
  | ({ readonly renewed: false } & Unchanged)
export type CompleteOutcome =
  | { readonly completed: true; readonly expiresAt: number }
  | ({ readonly completed: false } & Unchanged)
export type ReleaseOutcome = { readonly released: true } | ({ readonly released: false } & Unchanged)

/** The work was not done here. */
export type NotRun = { readonly ran: false } & (Omit<Lost, 'won'> | Omit<Unknown, 'won'>)

/** `lost`: the claim was lost before the work had ended, so somebody else may have done it too. */
export type RunOutcome<T> = { readonly ran: true; readonly value: T; readonly lost: boolean } | NotRun

/**
 * `recorded` says whether the result was stored for replay: 'lost' when the claim had run out by
 * then, 'unknown' when the answer was lost. With reason 'done', `result` is the earlier call's.
 */
export type OnceOutcome<T> =
  | { readonly ran: true; readonly result: T; readonly recorded: 'yes' | 'lost' | 'unknown' }
  | NotRun

/** A row as it stands. Instants are ms since 1970. */
export interface ClaimView {
  readonly key: string
  /** The scope it was claimed under, or null. */
  readonly scope: string | null
  readonly state: 'free' | 'held' | 'done'
  readonly claimedAt: number | null
  readonly expiresAt: number | null
  readonly token: number | null
  readonly holder: string | null
  /** What was given to `complete`, or null. */
  readonly result: unknown
}

/** In byte order of the stored key. `next` goes into `after` of the next call; null on the last page. */
export interface ClaimPage {
  readonly claims: readonly ClaimView[]
  readonly next: string | null
}

/** `removed` are rows that were deleted; `more`: the step was full, so there is probably more. */
export interface SweepOutcome {
  readonly removed: number
  readonly more: boolean
}
