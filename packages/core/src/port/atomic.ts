import { GuardError, InvalidInputError, UnavailableError } from '../errors.ts'
import type { Dialect } from './dialect.ts'
import type { Driver, Expectation, Row, Statement } from './driver.ts'
import { plainText } from './input.ts'
import { mark } from './markers.ts'
import { locking, type Query, type QueryOptions, toStatement } from './query.ts'

/** Several statements that are carried out together or not at all. Each call gives a new, longer list. */
export interface Atomic {
  /** A write. With `expect` it has to end in RETURNING, and the whole is done only if it gives so many rows. */
  write(query: Query, options?: QueryOptions): Atomic
  /**
   * A condition: a SELECT that has to give rows; at least one, unless `expect` says how many. On
   * PostgreSQL what it reads is locked until the end.
   */
  check(query: Query, options?: QueryOptions): Atomic
  /** Carries it out. Throws what else may go wrong: a missing table, a broken constraint. */
  commit(): Promise<Committed>
  /** @returns the rows of each statement. @throws GuardError for a condition that failed, UnavailableError. */
  commitOrThrow(): Promise<Row[][]>
}

export type Committed =
  /** Done. `replayed`: an earlier call with this idempotency key did it, and its rows are not known here. */
  | { readonly ok: true; readonly rows: Row[][]; readonly replayed: boolean }
  /** Nothing was applied: this statement gave another number of rows. */
  | { readonly ok: false; readonly reason: 'condition'; readonly failed: FailedCondition }
  /** The answer was lost; it may have been done. With an idempotency key, commit again to find out. */
  | { readonly ok: false; readonly reason: 'unknown'; readonly cause: unknown }

export interface FailedCondition {
  readonly index: number
  readonly name: string
  readonly expected: Expectation
  readonly actual: number
}

export interface AtomicOptions {
  /**
   * Names this one intent, up to 255 characters. The same key is carried out once, however often it
   * is committed, until `sweepMarkers` forgets it. Needs the table `rowlock_markers`.
   */
  readonly idempotencyKey?: string
  /** What the name of that table begins with. Default `rowlock_`. */
  readonly prefix?: string
  /** The instant written beside the key, in ms. Default: the database's clock. */
  readonly now?: number
}

/**
 * Writes that belong together, each proving what it wrote, on D1 as well:
 *
 * ```ts
 * const moved = await atomic(driver)
 *   .write(sql`update accounts set balance = balance - ${n} where id = ${a} and balance >= ${n} returning id`, { expect: 1, name: 'debit' })
 *   .write(sql`update accounts set balance = balance + ${n} where id = ${b} returning id`, { expect: 1, name: 'credit' })
 *   .commit()
 * if (!moved.ok) console.log(moved.reason)
 * ```
 *
 * @throws InvalidInputError where the driver has no atomic batch: nothing here could keep its word.
 */
export function atomic(driver: Driver, options: AtomicOptions = {}): Atomic {
  if (!driver.atomicBatch) {
    throw new InvalidInputError('driver', 'has no atomic batch', 'a driver whose batch is all or nothing')
  }
  const { idempotencyKey } = options
  const marker =
    idempotencyKey === undefined
      ? []
      : [mark(driver.dialect, plainText('idempotencyKey', idempotencyKey, 255), options)]
  return list(driver, marker, [])
}

function list(driver: Driver, marker: readonly Statement[], statements: readonly Statement[]): Atomic {
  const { dialect } = driver
  const and = (next: Statement) => list(driver, marker, [...statements, next])
  const commit = () => carryOut(driver, marker, statements)
  return {
    write: (query, given = {}) =>
      and(toStatement(dialect, query, given, { name: `write ${statements.length}` })),
    check: (query, given = {}) =>
      and(
        condition(
          dialect,
          toStatement(dialect, query, given, { name: `check ${statements.length}`, expect: 'some' }),
        ),
      ),
    commit: () => commit().catch(asOutcome),
    commitOrThrow: async () => (await commit()).rows,
  }
}

/** @throws InvalidInputError where rows have to be locked for "none may be there": there are none to lock. */
function condition(dialect: Dialect, statement: Statement): Statement {
  if (statement.expect === 0 && dialect.lockRows.pieces.length > 0) {
    throw new InvalidInputError(
      `${statement.name}: expect`,
      'is 0, and rows that are not there cannot be locked',
      'an INSERT ... ON CONFLICT DO NOTHING RETURNING with expect 1, as a write',
    )
  }
  return locking(dialect, statement)
}

type Done = Extract<Committed, { ok: true }>

/** How often a batch with an idempotency key is sent while its answers are lost. */
const ATTEMPTS = 3

async function carryOut(
  driver: Driver,
  marker: readonly Statement[],
  statements: readonly Statement[],
): Promise<Done> {
  if (statements.length === 0) {
    throw new InvalidInputError('atomic', 'holds nothing', 'at least one write or check')
  }
  let lost: unknown
  for (let attempt = 1; ; attempt++) {
    try {
      const rows = await driver.batch([...marker, ...statements])
      return { ok: true, rows: rows.slice(marker.length), replayed: false }
    } catch (error) {
      if (error instanceof GuardError && error.index < marker.length)
        return { ok: true, rows: [], replayed: true }
      // An attempt whose answer was lost may still arrive and be done, so a later refusal proves nothing.
      if (!isUnknown(error)) throw lost ?? behind(error, marker.length)
      lost ??= error
      if (marker.length === 0 || attempt === ATTEMPTS) throw lost
    }
  }
}

function isUnknown(error: unknown): boolean {
  return error instanceof UnavailableError && error.applied === 'unknown'
}

/** The error in the caller's numbering, which knows of no marker. */
function behind(error: unknown, marker: number): unknown {
  if (marker === 0 || !(error instanceof GuardError)) return error
  const { statement, index, expected, actual, cause } = error
  return new GuardError({ statement, index: index - marker, expected, actual, cause })
}

function asOutcome(error: unknown): Committed {
  if (error instanceof GuardError) {
    const { statement: name, index, expected, actual } = error
    return { ok: false, reason: 'condition', failed: { index, name, expected, actual } }
  }
  if (isUnknown(error)) return { ok: false, reason: 'unknown', cause: error }
  throw error
}
