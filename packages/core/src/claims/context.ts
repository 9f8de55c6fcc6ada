import { InvalidInputError, SchemaError } from '../errors.ts'
import type { Driver, Statement } from '../port/driver.ts'
import { duration, instantOrNull } from '../port/input.ts'
import { exactKeys, type Keys, scopedKeys } from './input/keys.ts'
import type { ClaimColumn, ClaimsOptions } from './options.ts'
import { type ClaimStatements, claimStatements } from './statements/index.ts'
import { type ClaimTable, claimTable, fallbacks } from './table.ts'
import { systemTimers, type Timers } from './timers.ts'

/** What the verbs of one `createClaims` share. */
export interface Context extends ClaimsOptions {
  readonly driver: Driver
  readonly keys: Keys
  /** How to ask, in order: as the table was described, then what to fall back on where columns are missing. */
  readonly shapes: readonly [Shape, ...Shape[]]
  readonly timers: Timers
  readonly futureToleranceMs: number
  /** The last call lost, so the next one probably loses too. */
  lostLast: boolean
}

/** A table as it may be, and its statements. */
export interface Shape {
  readonly table: ClaimTable
  readonly statements: ClaimStatements
}

export function createContext(driver: Driver, options: ClaimsOptions): Context {
  const table = claimTable(options)
  const whenColumnMissing = options.whenColumnMissing ?? (table.owned ? 'throw' : 'legacy')
  const tables = whenColumnMissing === 'legacy' ? fallbacks(table) : [table]
  const { clock } = options
  if (options.ttl !== undefined) duration('ttl', options.ttl)
  if (options.nearFor !== undefined && options.nearFor !== 'window') duration('nearFor', options.nearFor)
  return {
    ...options,
    driver,
    whenColumnMissing,
    clock: clock && (() => milliseconds(clock())),
    keys: table.owned ? scopedKeys(options.scope) : exactKeys,
    shapes: tables.map((each) => ({
      table: each,
      statements: claimStatements(driver.dialect, each),
    })) as unknown as Context['shapes'],
    timers: options.timers ?? systemTimers,
    futureToleranceMs: duration('futureTolerance', options.futureTolerance ?? '1m'),
    lostLast: false,
  }
}

/** A clock that counts seconds would let everybody win a little later. */
function milliseconds(reading: number): number {
  if (reading >= 100_000_000_000) return reading
  throw new InvalidInputError('clock', `gives ${reading}`, 'milliseconds since 1970')
}

/** The value of the slot `now`: null for the database's clock. */
export function nowSlot(context: Context, now: number | undefined): number | null {
  return instantOrNull('now', now ?? context.clock?.())
}

/** The window of a call, in ms. @throws InvalidInputError where neither the call nor `createClaims` names one. */
export function ttlMs(context: Context, ttl: ClaimsOptions['ttl']): number {
  return duration('ttl', ttl ?? context.ttl ?? Number.NaN)
}

/** Asks as the table was described; where a column is missing, in the next simpler way. For this call only. */
export function onShapes<Answer>(context: Context, ask: (shape: Shape) => Promise<Answer>): Promise<Answer> {
  const { shapes } = context
  return shapes.length === 1 ? ask(shapes[0]) : onSeveral(shapes, ask)
}

async function onSeveral<Answer>(
  shapes: readonly Shape[],
  ask: (shape: Shape) => Promise<Answer>,
): Promise<Answer> {
  const last = shapes.length - 1
  for (const shape of shapes.slice(0, last)) {
    try {
      return await ask(shape)
    } catch (error) {
      if (!isMissingColumn(error)) throw error
    }
  }
  return ask(shapes[last]!)
}

export function isMissingColumn(error: unknown): boolean {
  return error instanceof SchemaError && error.problem === 'missing-column'
}

/** @throws SchemaError for a verb that needs columns which this table was said not to have. */
export function needsColumns(context: Context, verb: string, columns: readonly ClaimColumn[]): void {
  const { table } = context.shapes[0]
  const missing = columns.filter((column) => table.columns[column] === null)
  if (missing.length === 0) return
  throw new SchemaError(
    'missing-column',
    `${verb} needs the columns ${missing.join(', ')} of ${table.name}: add them to the table, and name them in the option columns`,
    { table: table.name, columns: missing },
  )
}

/** @throws InvalidInputError for companions on a driver that could not keep them together with the verb. */
export function checkCompanions(context: Context, also: readonly Statement[] | undefined): void {
  if (also !== undefined && also.length > 0 && !context.driver.atomicBatch) {
    throw new InvalidInputError('also', 'is given to a driver without an atomic batch', 'no companions')
  }
}
