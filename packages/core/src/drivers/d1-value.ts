import { InvalidInputError } from '../errors.ts'
import type { Row, Statement } from '../port/driver.ts'

/** D1 takes no bigint, and every number becomes a REAL there: only columns with a type make it whole again. */
export function bindToD1({ name, values }: Statement): unknown[] {
  return values.map((value, index) => {
    if (typeof value === 'boolean') return value ? 1 : 0
    if (typeof value !== 'bigint') return value
    const number = Number(value)
    if (Number.isSafeInteger(number)) return number
    throw new InvalidInputError(`${name}: value ${index}`, `is ${value}`, 'a bigint within 2^53 on D1')
  })
}

/** Blobs come back as arrays of numbers. */
export function rowsFromD1(results: unknown[]): Row[] {
  for (const row of results as Record<string, unknown>[]) {
    for (const column in row) {
      if (Array.isArray(row[column])) row[column] = Uint8Array.from(row[column])
    }
  }
  return results as Row[]
}
