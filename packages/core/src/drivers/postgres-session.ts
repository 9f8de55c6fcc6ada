import { EngineError } from '../errors.ts'
import type { Row, Statement } from '../port/driver.ts'
import { command, flight, type Session, toError } from './session.ts'

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

// The isolation is spelled out: under another default the losers of a race would get 40001 for an answer.
const BEGIN = command('begin isolation level read committed')
const COMMIT = command('commit')
const ROLLBACK = command('rollback')

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
    results = await flight(session, statements, BEGIN)
  } catch (cause) {
    await session.send(ROLLBACK).catch(spoiled)
    throw cause
  }
  const { command } = await session.send(COMMIT).catch((cause) => {
    spoiled()
    throw toError(session, cause, COMMIT)
  })
  // COMMIT of an aborted transaction "succeeds", and its tag is the only sign that nothing was kept.
  if (command !== 'COMMIT') {
    throw new EngineError('aborted-transaction', `the server answered COMMIT with ${command}`, { command })
  }
  return results
}
