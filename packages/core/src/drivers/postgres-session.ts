import { EngineError, RowlockError } from '../errors.ts'
import { checkRows } from '../port/check.ts'
import type { Row, Statement } from '../port/driver.ts'
import { beforeCommit, faultError } from '../port/fault.ts'
import { postgresFault } from '../port/postgres-fault.ts'

/** What the server said to one statement. */
export interface Reply {
  readonly rows: Row[]
  /** The first word of the command tag: INSERT, COMMIT, ROLLBACK. */
  readonly command: string
}

/** One connection. Other clients than pg are fitted in by giving them this shape. */
export interface Session {
  send(statement: Statement): Promise<Reply>
  /** Whether it may be given the next statement before the last one was answered. */
  readonly pipelines: boolean
}

/** Where sessions come from. */
export interface Source {
  /** Any connection, for statements that commit by themselves. */
  readonly any: Session
  /** Whether its sessions pipeline. */
  readonly pipelines: boolean
  /** How many connections there are at most. */
  readonly connections: number
  /** One connection for as long as the work lasts. After `spoiled()` it is not used again. */
  hold<T>(work: (session: Session, spoiled: () => void) => Promise<T>): Promise<T>
  close(): void
}

const command = (text: string): Statement => ({ name: `postgres.${text}`, text, values: [] })

// The isolation is spelled out: under another default the losers of a race would get 40001 for an answer.
const BEGIN = command('begin isolation level read committed')
const COMMIT = command('commit')
const ROLLBACK = command('rollback')
const SAVEPOINT = command('savepoint rowlock')
const RELEASE = command('release savepoint rowlock')
const BACK_TO_SAVEPOINT = command('rollback to savepoint rowlock')

/** An error in Rowlock's words, told with the name of the statement that met it. */
export function toError(cause: unknown, statement?: Statement): RowlockError {
  return cause instanceof RowlockError ? cause : faultError(postgresFault(cause), cause, statement?.name)
}

/** As `toError`, where COMMIT had not been sent: an answer that was lost there changes nothing. */
export function uncommitted(cause: unknown, statement?: Statement): RowlockError {
  if (cause instanceof RowlockError) return cause
  return faultError(beforeCommit(postgresFault(cause)), cause, statement?.name)
}

/**
 * One transaction in two flights: BEGIN and the statements; then, when their rows have been counted,
 * COMMIT or ROLLBACK. (In one flight COMMIT would be on its way before anything was counted.)
 * A session whose transaction could not be ended properly must not be used again: `spoiled` is called.
 */
export async function transaction(
  session: Session,
  statements: readonly Statement[],
  spoiled: () => void,
): Promise<Row[][]> {
  let results: Row[][]
  try {
    results = await flight(session, BEGIN, statements)
  } catch (cause) {
    await session.send(ROLLBACK).catch(spoiled)
    throw cause
  }
  const { command } = await session.send(COMMIT).catch((cause) => {
    spoiled()
    throw toError(cause, COMMIT)
  })
  // COMMIT of an aborted transaction "succeeds", and its tag is the only sign that nothing was kept.
  if (command !== 'COMMIT') {
    throw new EngineError('aborted-transaction', `the server answered COMMIT with ${command}`, { command })
  }
  return results
}

/** The statements under a savepoint of the caller's own transaction: failing undoes only them. */
export async function savepoint(session: Session, statements: readonly Statement[]): Promise<Row[][]> {
  try {
    const results = await flight(session, SAVEPOINT, statements)
    await session.send(RELEASE)
    return results
  } catch (cause) {
    await session.send(BACK_TO_SAVEPOINT).then(
      () => session.send(RELEASE),
      () => {}, // The transaction is gone, and the first error says why.
    )
    throw uncommitted(cause, RELEASE)
  }
}

async function flight(
  session: Session,
  opening: Statement,
  statements: readonly Statement[],
): Promise<Row[][]> {
  const all = [opening, ...statements]
  const results: Row[][] = []
  const flying = session.pipelines ? all.map((statement) => session.send(statement)) : []
  // One that fails is read in its turn; until then it must not count as unhandled.
  for (const reply of flying) reply.catch(() => {})
  for (const [index, statement] of all.entries()) {
    const reply = await (flying[index] ?? session.send(statement)).catch((cause) => {
      throw uncommitted(cause, statement)
    })
    if (index === 0) continue
    checkRows(statement, index - 1, reply.rows.length)
    results.push(reply.rows)
  }
  return results
}
