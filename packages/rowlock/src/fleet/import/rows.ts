import { InvalidInputError } from '@rowlock/core'
import type { DeviceFields } from '../device/fields.ts'

/** What is wrong with one row, in the words of whoever wrote the file. */
export interface RowError {
  /** The line on which the row ends, or its number in a list; from 1. */
  readonly row: number
  /** The column or field; null where it is the row as a whole. */
  readonly column: string | null
  readonly message: string
}

/** The devices of an import, and what could not be read. With errors nothing is imported. */
export interface ImportRows {
  readonly devices: readonly DeviceFields[]
  /** Where each device stands, by its id. */
  readonly rowOf: ReadonlyMap<string, number>
  readonly errors: readonly RowError[]
  /** Said for information: what an import leaves out or changes. */
  readonly notes: readonly RowError[]
}

export const MOST_ROWS = 10_000

/** Reads every row, whatever is wrong with its neighbours, and finds ids that come twice. */
export function readRows<Row>(
  rows: readonly { readonly row: number; readonly given: Row }[],
  read: (given: Row) => DeviceFields,
): Pick<ImportRows, 'devices' | 'rowOf' | 'errors'> {
  const devices: DeviceFields[] = []
  const errors: RowError[] = []
  const rowOf = new Map<string, number>()
  for (const { row, given } of rows) {
    try {
      const device = read(given)
      const first = rowOf.get(device.id)
      if (first !== undefined) {
        errors.push({ row, column: 'id', message: `${device.id} stands on row ${first} already` })
      } else {
        rowOf.set(device.id, row)
        devices.push(device)
      }
    } catch (error) {
      errors.push(rowError(row, error))
    }
  }
  return { devices, rowOf, errors }
}

/** @throws the error, where it is no complaint about input. */
export function rowError(row: number, error: unknown): RowError {
  if (!(error instanceof InvalidInputError)) throw error
  const { field } = error.details
  return { row, column: typeof field === 'string' ? field : null, message: error.message }
}
