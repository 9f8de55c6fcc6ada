import type { Statement } from '../port/driver.ts'
import type {
  AcquireManyOptions,
  AcquireOptions,
  CallOptions,
  CompleteOptions,
  InspectOptions,
  InstallOptions,
  ListOptions,
  ManyInput,
  OnceOptions,
  RenewOptions,
  RunOptions,
  SweepOptions,
  WaitOptions,
  WriteOptions,
} from './call-options.ts'
import type { ClaimCalls } from './statements/calls.ts'
import type {
  AcquireOutcome,
  Claim,
  ClaimPage,
  ClaimRef,
  ClaimView,
  CompleteOutcome,
  OnceOutcome,
  ReleaseOutcome,
  RenewOutcome,
  RunOutcome,
  SweepOutcome,
} from './types.ts'
import type { Work } from './verbs/run.ts'

/**
 * Exactly one winner per key per window. Every verb throws InvalidInputError before anything is
 * sent, SchemaError when a table or column is missing, and GuardError when a companion in `also`
 * fell short of its `expect`; nothing was applied then. Losing, and not knowing, are outcomes: the
 * `…OrThrow` twins throw ConflictError and UnavailableError instead.
 */
export interface Claims {
  /** The statements as values, for batches of your own. */
  readonly statements: ClaimCalls
  /** Makes Rowlock's own table, or adds the claim's columns to yours. Safe to call at every start. */
  install(options?: InstallOptions): Promise<void>

  /** Claims the key for one window of `ttl`, counted from the win. */
  acquire(key: string, options?: AcquireOptions): Promise<AcquireOutcome>
  acquireOrThrow(key: string, options?: AcquireOptions): Promise<Claim>
  /**
   * Claims any number of keys in one statement, each by itself: one answer for each input. Of a key
   * given twice, the first is the winner.
   */
  acquireMany(keys: readonly ManyInput[], options?: AcquireManyOptions): Promise<AcquireOutcome[]>
  /** Gives a claim that is still held a new window, from now on. */
  renew(claim: ClaimRef, options?: RenewOptions): Promise<RenewOutcome>
  renewOrThrow(claim: ClaimRef, options?: RenewOptions): Promise<{ readonly expiresAt: number }>
  /**
   * Marks a claim that is still held as done. Its window stays as it is; whoever asks within it is
   * given the result, any JSON value.
   */
  complete(claim: ClaimRef, result?: unknown, options?: CompleteOptions): Promise<CompleteOutcome>
  completeOrThrow(
    claim: ClaimRef,
    result?: unknown,
    options?: CompleteOptions,
  ): Promise<{ readonly expiresAt: number }>
  /** Frees the key at once if it is still this claim's. A completed claim stays. */
  release(claim: ClaimRef, options?: WriteOptions): Promise<ReleaseOutcome>
  releaseOrThrow(claim: ClaimRef, options?: WriteOptions): Promise<void>
  /**
   * A check for a batch: true only while this claim is held, and until the batch ends. With it the
   * database itself refuses the writes of a winner that has overslept.
   */
  guard(claim: ClaimRef, options?: CallOptions): Statement

  /** The key's row as it stands, or null. A look only: it decides nothing. */
  inspect(key: string, options?: InspectOptions): Promise<ClaimView | null>
  /** The rows, a page at a time, in byte order of the key. */
  list(options?: ListOptions): Promise<ClaimPage>
  /** Deletes rows of Rowlock's own table that have long been free. Changes no answer. */
  sweep(options?: SweepOptions): Promise<SweepOutcome>

  /**
   * Does the work if the key can be had: renews the claim meanwhile, aborts the signal when it is
   * lost, frees it at the end.
   */
  run<T>(key: string, options: RunOptions, work: Work<T>): Promise<RunOutcome<T>>
  runOrThrow<T>(key: string, options: RunOptions, work: Work<T>): Promise<T>
  /** Does the work once per key and window; whoever asks again gets its result. */
  once<T>(key: string, options: OnceOptions, work: Work<T>): Promise<OnceOutcome<T>>
  onceOrThrow<T>(key: string, options: OnceOptions, work: Work<T>): Promise<T>
  /** Tries until the key is won, done, or the time is over. */
  wait(key: string, options?: WaitOptions): Promise<AcquireOutcome>
  waitOrThrow(key: string, options?: WaitOptions): Promise<Claim>
}
