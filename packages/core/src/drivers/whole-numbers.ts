import type { Row } from '../port/driver.ts'

/** Whole numbers within 2^53 are handed out as numbers; what is larger stays a bigint. */
export function narrow(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(value)
}

/** The same for rows of a client that may have been set to give a bigint for every whole number. */
export function narrowBigints(rows: readonly unknown[]): Row[] {
  for (const row of rows as Record<string, unknown>[]) {
    for (const column in row) {
      if (typeof row[column] === 'bigint') row[column] = narrow(row[column])
    }
  }
  return rows as Row[]
}
