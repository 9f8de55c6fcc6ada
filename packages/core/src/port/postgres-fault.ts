import { RowlockError } from '../errors.ts'
import { chain, type Fault, type FaultKind, messageOf } from './fault.ts'

/** By SQLSTATE or the client's own code. The first rule that matches wins. */
const CODES: readonly (readonly [RegExp, FaultKind])[] = [
  [/^42P01$/, 'missing-table'],
  [/^42703$/, 'missing-column'],
  [/^(?:42501|25006|28...)$/, 'not-allowed'],
  [/^23505$/, 'unique'],
  [/^23503$/, 'foreign-key'],
  [/^(?:23514|23502)$/, 'check'],
  [/^25P02$/, 'aborted-transaction'],
  [/^(?:54...|22001)$/, 'too-large'],
  [/^(?:40001|40P01)$/, 'contended'],
  [/^(?:53...|57P03|57014|55P03|08001|08004)$/, 'unreachable'],
  [/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|CONNECT_TIMEOUT)$/, 'unreachable'],
  // The server may have been ended after the commit and before its answer was sent.
  [/^(?:08...|57P..|25P03|25P04|40003)$/, 'unanswered'],
  [/^(?:ECONNRESET|EPIPE|ETIMEDOUT|CONNECTION_\w+)$/, 'unanswered'],
]

/** By the client's words, where it gives no code. */
const WORDS: readonly (readonly [RegExp, FaultKind])[] = [
  [/trying to connect|connection timeout|not queryable|calling end|was closed/i, 'unreachable'],
  [/connection terminated|read timeout|connection.*closed/i, 'unanswered'],
]

/** The names that stand in quotes or behind a dot; the server may speak any language. */
const NAMES = /["„“«»]([^"”“«»]+)["”“«»]|(\w+)\.(\w+)/g

interface ServerError {
  readonly code?: unknown
  readonly table?: string
  readonly column?: string
  readonly constraint?: string
  readonly table_name?: string
  readonly column_name?: string
  readonly constraint_name?: string
}

/** What an error of PostgreSQL, or of the client in front of it, means. */
export function postgresFault(cause: unknown): Fault {
  for (const error of chain(cause)) {
    const code = (error as ServerError).code
    const rules = typeof code === 'string' ? CODES : WORDS
    const subject = typeof code === 'string' ? code : messageOf(error)
    const rule = rules.find(([pattern]) => pattern.test(subject))
    if (rule !== undefined) return { kind: rule[1], names: namesIn(error as ServerError, rule[1]) }
  }
  return { kind: 'other', names: { code: postgresCode(cause) } }
}

/** The SQLSTATE, or the client's code, of the error or of what it wraps. */
export function postgresCode(cause: unknown): string | undefined {
  const own = chain(cause).filter((error) => !(error instanceof RowlockError))
  return own.map((error) => (error as ServerError).code).find((code) => typeof code === 'string') as
    | string
    | undefined
}

function namesIn(error: ServerError, kind: FaultKind): Fault['names'] {
  const code = typeof error.code === 'string' ? error.code : undefined
  const column = error.column ?? error.column_name
  const table = error.table ?? error.table_name
  const constraint = error.constraint ?? error.constraint_name
  if (kind !== 'missing-table' && kind !== 'missing-column') return { table, column, constraint, code }
  const [first, second] = [...messageOf(error).matchAll(NAMES)]
  if (kind === 'missing-table') return { table: first?.[1], code }
  // column "c" of relation "t", column "c", or column t.c
  return { table: first?.[2] ?? second?.[1], column: first?.[3] ?? first?.[1], code }
}
