import {
  EngineError,
  type EngineFault,
  type RowlockError,
  SchemaError,
  type SchemaProblem,
  UnavailableError,
} from '../errors.ts'

/**
 * What an engine's own error means. Each engine has a table of rules; this is what they have in
 * common: the kinds, and how a kind becomes one of Rowlock's errors.
 */
export type FaultKind =
  | Exclude<SchemaProblem, 'version'>
  | EngineFault
  /** Nothing was applied, and the same call may go through in a moment: a lock, a deadlock. */
  | 'contended'
  /** The engine could not be asked; nothing was applied. */
  | 'unreachable'
  /** The answer was lost: the statement may have been applied. */
  | 'unanswered'

/** What the rule that matched could read from the engine's words. */
export interface FaultNames {
  readonly table?: string | undefined
  readonly column?: string | undefined
  readonly constraint?: string | undefined
  readonly code?: string | undefined
}

export interface Fault {
  readonly kind: FaultKind
  readonly names: FaultNames
}

/** A fault met before COMMIT was sent: with the answer lost, it is still certain that nothing was applied. */
export function beforeCommit(fault: Fault): Fault {
  return fault.kind === 'unanswered' ? { ...fault, kind: 'unreachable' } : fault
}

/** The error to throw for a fault. `statement` is the name of the statement that met it, if one is known. */
export function faultError(fault: Fault, cause: unknown, statement?: string): RowlockError {
  const { kind, names } = fault
  const place = statement === undefined ? '' : `${statement}: `
  const details = known({ statement, ...names })
  const text = `${place}${messageOf(cause)}`
  switch (kind) {
    case 'missing-table':
    case 'missing-column':
    case 'not-allowed':
      return new SchemaError(kind, `${place}${mending(kind, names, cause)}`, details, cause)
    case 'contended':
    case 'unreachable':
      return new UnavailableError(`${text}; nothing was applied`, 'no', cause)
    case 'unanswered':
      return new UnavailableError(`${text}; whether it was applied is unknown`, 'unknown', cause)
    default:
      return new EngineError(kind, text, details, cause)
  }
}

function mending(kind: SchemaProblem, { table, column }: FaultNames, cause: unknown): string {
  const place = table === undefined ? '' : ` of the table ${table}`
  if (kind === 'not-allowed') return `the database does not allow this: ${messageOf(cause)}`
  const what = kind === 'missing-table' ? `the table ${table}` : `the column ${column}${place}`
  return `${what} is missing; install(driver) or \`rowlock migrate\` makes what belongs to Rowlock`
}

function known(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined))
}

/** An error's own words. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

/** The error and its causes, outermost first: drivers wrap, and the words that count may stand inside. */
export function chain(cause: unknown): unknown[] {
  const found: unknown[] = []
  for (let next = cause; next != null && found.length < 6; next = (next as { cause?: unknown }).cause) {
    found.push(next)
  }
  return found
}
