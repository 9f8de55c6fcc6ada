import { EngineError } from '../errors.ts'
import type { Row } from './driver.ts'

/**
 * Readers of a row's columns. A driver that hands out another type than the column's is caught here
 * and not in somebody's arithmetic.
 */

const DIGITS = /^-?[0-9]{1,16}$/

/** A TEXT column that is never NULL. */
export function text(row: Row, column: string): string {
  const value = row[column]
  return typeof value === 'string' ? value : wrong(row, column, 'text')
}

/** A TEXT column, or null. */
export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column)
}

/**
 * A whole-number column that is never NULL, within 2^53. Query builders hand out an int8 as their
 * client gave it, and `pg` gives it as text.
 */
export function integer(row: Row, column: string): number {
  const value = row[column]
  const number = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) ? (number as number) : wrong(row, column, 'a safe integer')
}

/** A whole-number column, or null. */
export function integerOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : integer(row, column)
}

/** A truth value that the statement computed: 1 or 0 on SQLite, true or false on PostgreSQL. */
export function truth(row: Row, column: string): boolean {
  const value = row[column]
  if (value === true || value === 1) return true
  return value === false || value === 0 ? false : wrong(row, column, 'a truth value')
}

function wrong(row: Row, column: string, wanted: string): never {
  const given = column in row ? `${typeof row[column]} ${String(row[column])}` : 'no such column'
  throw new EngineError('other', `the driver gave ${given} where column ${column} holds ${wanted}`, {
    column,
  })
}
