/** Everything Rowlock throws, on one screen. Check errors by `code`, never by message. */

export interface ErrorDetails {
  readonly [name: string]: unknown
}

/** The base of every error Rowlock throws. */
export class RowlockError extends Error {
  /** Stable, documented, safe to compare with. */
  readonly code: string
  /** True when the same call may succeed later without anything being changed. */
  readonly retryable: boolean
  readonly details: ErrorDetails

  constructor(
    code: string,
    message: string,
    options: { retryable?: boolean; details?: ErrorDetails; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.retryable = options.retryable ?? false
    this.details = options.details ?? {}
  }
}

/** The input was refused before anything was sent to the database. */
export class InvalidInputError extends RowlockError {
  /** @param field what was wrong; @param accepted what would have been taken instead. */
  constructor(field: string, problem: string, accepted: string) {
    super('INVALID_INPUT', `${field} ${problem}; accepted: ${accepted}`, {
      details: { field, problem, accepted },
    })
  }
}

/** The named thing does not exist. */
export class NotFoundError extends RowlockError {
  constructor(what: string, details?: ErrorDetails) {
    super('NOT_FOUND', `${what} was not found`, { details: { what, ...details } })
  }
}

/** A race was lost. Only the `…OrThrow` twins throw it: elsewhere losing is an answer. */
export class ConflictError extends RowlockError {
  constructor(message: string, details?: ErrorDetails) {
    super('CONFLICT', message, details === undefined ? {} : { details })
  }
}

/**
 * A statement of a batch gave another number of rows than it had to. Nothing was applied; on a driver
 * without an atomic batch, the statements before it were.
 */
export class GuardError extends RowlockError {
  readonly statement: string
  readonly index: number
  readonly expected: number | 'some'
  readonly actual: number

  constructor(failed: {
    statement: string
    index: number
    expected: number | 'some'
    actual: number
    cause?: unknown
  }) {
    const { statement, index, expected, actual, cause } = failed
    super(
      'GUARD_FAILED',
      `statement ${index} (${statement}) had to give ${expected} rows and gave ${actual}`,
      { details: { statement, index, expected, actual }, cause },
    )
    this.statement = statement
    this.index = index
    this.expected = expected
    this.actual = actual
  }
}

/**
 * The database could not be asked. `applied: 'no'` says that nothing was written;
 * `'unknown'` says that the answer was lost on the way back and the work may have been done.
 */
export class UnavailableError extends RowlockError {
  readonly applied: 'no' | 'unknown'

  constructor(message: string, applied: 'no' | 'unknown', cause?: unknown) {
    super('UNAVAILABLE', message, { retryable: true, details: { applied }, cause })
    this.applied = applied
  }
}

export type SchemaProblem = 'missing-table' | 'missing-column' | 'not-allowed' | 'version'

/** The database's tables are not what the call needs. The message names the command that mends it. */
export class SchemaError extends RowlockError {
  readonly problem: SchemaProblem

  constructor(problem: SchemaProblem, message: string, details?: ErrorDetails, cause?: unknown) {
    super('SCHEMA', message, { details: { problem, ...details }, cause })
    this.problem = problem
  }
}

export type EngineFault = 'unique' | 'foreign-key' | 'check' | 'aborted-transaction' | 'too-large' | 'other'

/** The database refused the statement for another reason; `cause` is its own error. */
export class EngineError extends RowlockError {
  readonly fault: EngineFault

  constructor(fault: EngineFault, message: string, details?: ErrorDetails, cause?: unknown) {
    super('ENGINE', message, { details: { fault, ...details }, cause })
    this.fault = fault
  }
}
