import { RowlockError } from '../errors.ts'
import { checkRows } from '../port/check.ts'
import type { Row, Statement } from '../port/driver.ts'
import { beforeCommit, type Fault, faultError } from '../port/fault.ts'

/** What the database said to one statement. */
export interface Reply {
  readonly rows: Row[]
  /** The first word of the command tag (INSERT, COMMIT, ROLLBACK), where the client passes it on. */
  readonly command?: string | undefined
}

/** One connection. Clients and query builders are fitted in by giving them this shape. */
export interface Session {
  send(statement: Statement): Promise<Reply>
  /** Whether it may be given the next statement before the last one was answered. */
  readonly pipelines: boolean
  /** What an error of this client means. */
  fault(cause: unknown): Fault
}

/** Text that is sent between the statements of others. */
export const command = (text: string): Statement => ({ name: `driver.${text}`, text, values: [] })

const SAVEPOINT = command('savepoint rowlock')
const RELEASE = command('release savepoint rowlock')
const BACK_TO_SAVEPOINT = command('rollback to savepoint rowlock')

/** An error in Rowlock's words, told with the name of the statement that met it. */
export function toError(
  { fault }: Pick<Session, 'fault'>,
  cause: unknown,
  statement?: Statement,
): RowlockError {
  return cause instanceof RowlockError ? cause : faultError(fault(cause), cause, statement?.name)
}

/** As `toError`, where COMMIT had not been sent: an answer that was lost there changes nothing. */
export function uncommitted(
  { fault }: Pick<Session, 'fault'>,
  cause: unknown,
  statement?: Statement,
): RowlockError {
  if (cause instanceof RowlockError) return cause
  return faultError(beforeCommit(fault(cause)), cause, statement?.name)
}

/** The statements under a savepoint of the caller's own transaction: failing undoes only them. */
export async function savepoint(session: Session, statements: readonly Statement[]): Promise<Row[][]> {
  try {
    const results = await flight(session, statements, SAVEPOINT)
    await session.send(RELEASE)
    return results
  } catch (cause) {
    await session.send(BACK_TO_SAVEPOINT).then(
      () => session.send(RELEASE),
      () => {}, // The transaction is gone, and the first error says why.
    )
    throw uncommitted(session, cause, RELEASE)
  }
}

/**
 * Sends the statements of a transaction, behind what opens it if that is still to be sent, and counts
 * their rows.
 */
export async function flight(
  session: Session,
  statements: readonly Statement[],
  opening?: Statement,
): Promise<Row[][]> {
  const all = opening === undefined ? statements : [opening, ...statements]
  const first = all.length - statements.length
  const results: Row[][] = []
  const flying = session.pipelines ? all.map((statement) => session.send(statement)) : []
  // One that fails is read in its turn; until then it must not count as unhandled.
  for (const reply of flying) reply.catch(() => {})
  for (const [index, statement] of all.entries()) {
    const reply = await (flying[index] ?? session.send(statement)).catch((cause) => {
      throw uncommitted(session, cause, statement)
    })
    if (index < first) continue
    checkRows(statement, index - first, reply.rows.length)
    results.push(reply.rows)
  }
  return results
}
