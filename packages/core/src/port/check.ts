import { GuardError, InvalidInputError } from '../errors.ts'
import type { Dialect } from './dialect.ts'
import { meets, type Statement, type Value } from './driver.ts'
import { describe } from './input.ts'
import { shapeOf } from './shape.ts'

/** What every driver refuses before anything is sent, so that no engine is asked what it would get wrong. */

/** @throws InvalidInputError for `expect`: outside a batch there is nothing that could be undone. */
export function checkSingle(statement: Statement): void {
  if (statement.expect !== undefined) {
    throw new InvalidInputError(
      `${statement.name}: expect`,
      'stands on a single statement',
      'expect inside batch()',
    )
  }
}

/**
 * @throws InvalidInputError for a batch of nothing, for `expect` on a statement that gives no rows to
 * count, and on PostgreSQL for a SELECT with `expect` that locks nothing: what it saw may have been
 * changed before the batch commits, so it fences nothing.
 */
export function checkBatch(dialect: Dialect, statements: readonly Statement[]): void {
  if (statements.length === 0) throw new InvalidInputError('batch', 'is empty', 'at least one statement')
  for (const { name, text, expect } of statements) {
    if (expect === undefined) continue
    if (expect !== 'some' && !(Number.isSafeInteger(expect) && expect >= 0)) {
      throw new InvalidInputError(`${name}: expect`, `is ${describe(expect)}`, "a whole number or 'some'")
    }
    const shape = shapeOf(text)
    if (shape.kind !== 'select' && !shape.returning) {
      throw new InvalidInputError(
        `${name}: expect`,
        'stands on a statement that gives no rows',
        'a SELECT, or a write that ends in RETURNING',
      )
    }
    if (shape.kind === 'select' && dialect.lockRows.pieces.length > 0 && !shape.locks) {
      throw new InvalidInputError(
        `${name}: expect`,
        'stands on a SELECT that locks nothing',
        'FOR UPDATE, FOR NO KEY UPDATE or FOR SHARE behind it',
      )
    }
  }
}

/** @throws GuardError when a statement of a batch gave another number of rows than it had to. */
export function checkRows({ name, expect }: Statement, index: number, rows: number): void {
  if (expect !== undefined && !meets(expect, rows)) {
    throw new GuardError({ statement: name, index, expected: expect, actual: rows })
  }
}

/** @throws InvalidInputError for a text of several statements: some engines run only the first. */
export function checkText(text: string): void {
  if (shapeOf(text).several) {
    throw new InvalidInputError('text', `holds several statements: ${describe(text)}`, 'one statement')
  }
}

/** @throws InvalidInputError for what passes the engine's limits, and for values that cannot be bound. */
export function checkSize({ limits }: Dialect, statement: Statement): void {
  const { name, text, values } = statement
  const within = (what: string, size: number, limit: number) => {
    if (size > limit) {
      throw new InvalidInputError(`${name}: ${what}`, `is ${size}`, `at most ${limit} on this engine`)
    }
  }
  within('number of values', values.length, limits.parameters)
  within('length of the text in bytes', byteLength(text, limits.textBytes), limits.textBytes)
  values.forEach((value, index) => {
    checkValue(statement, index, value)
    const size = typeof value === 'string' ? byteLength(value, limits.valueBytes) : 0
    within(`value ${index} in bytes`, value instanceof Uint8Array ? value.length : size, limits.valueBytes)
  })
}

const LEAST_INTEGER = -(2n ** 63n)
const LARGEST_INTEGER = 2n ** 63n - 1n

/** @throws InvalidInputError for what no engine can bind, or binds as something else (NaN as NULL). */
export function checkValue({ name }: Statement, index: number, value: Value): void {
  if (value === null || value instanceof Uint8Array) return
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return
    case 'number':
      if (Number.isFinite(value)) return
      break
    case 'bigint':
      if (value >= LEAST_INTEGER && value <= LARGEST_INTEGER) return
  }
  throw new InvalidInputError(
    `${name}: value ${index}`,
    `is ${describe(value)}`,
    'a string, a finite number, a 64-bit bigint, a boolean, null or a Uint8Array',
  )
}

/** The UTF-8 length, counted only where it could pass the limit. */
function byteLength(text: string, limit: number): number {
  return text.length * 3 <= limit ? text.length : new TextEncoder().encode(text).length
}
