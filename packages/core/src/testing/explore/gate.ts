import { UnavailableError } from '../../errors.ts'
import type { Driver, Row, Statement } from '../../port/driver.ts'
import { sequential } from '../sequential.ts'
import type { Crash } from './types.ts'

/** What an actor has asked for and the scheduler has not let through yet. */
interface Request {
  readonly statements: readonly Statement[]
  /** Whether it is an `execute`, whose answer is the rows of its one statement. */
  readonly single: boolean
  resolve(answer: Row[] | Row[][]): void
  reject(error: unknown): void
}

/** What came of one step. */
export interface StepResult {
  readonly statements: readonly Statement[]
  /** Rows of each statement; absent when the step was not applied or failed. */
  readonly results?: readonly Row[][]
  readonly error?: unknown
}

/**
 * A gate between an actor and the database. Whatever the actor asks waits here until the scheduler
 * lets it through, so the scheduler alone decides on the order.
 */
export interface Gate {
  /** The driver that the actor gets. */
  readonly driver: Driver
  /** Whether something waits. */
  waiting(): boolean
  /** Lets the first request through, or crashes at it. */
  step(crash?: Crash): Promise<StepResult>
}

/** `onRequest` is called each time the actor has asked for something. */
export function createGate(inner: Driver, onRequest: () => void): Gate {
  const requests: Request[] = []

  const ask = <Rows>(statements: readonly Statement[], single: boolean) =>
    new Promise<Rows>((resolve, reject) => {
      requests.push({ statements, single, resolve: resolve as Request['resolve'], reject })
      onRequest()
    })

  const driver: Driver = {
    dialect: inner.dialect,
    atomicBatch: inner.atomicBatch,
    execute: (statement) => ask<Row[]>([statement], true),
    batch: (statements) => ask<Row[][]>(statements, false),
  }

  return {
    // Without an atomic batch each statement of a batch is a step of its own.
    driver: inner.atomicBatch ? driver : sequential(driver),
    waiting: () => requests.length > 0,
    async step(crash) {
      const { statements, single, resolve, reject } = requests.shift()!
      if (crash?.at === 'before') {
        if (crash.fate === 'lost') reject(lost())
        return { statements }
      }
      try {
        const answer = single ? await inner.execute(statements[0]!) : await inner.batch(statements)
        if (crash === undefined) resolve(answer)
        else if (crash.fate === 'lost') reject(lost())
        return { statements, results: single ? [answer as Row[]] : (answer as Row[][]) }
      } catch (error) {
        if (crash?.fate !== 'killed') reject(error)
        return { statements, error }
      }
    },
  }
}

function lost(): UnavailableError {
  return new UnavailableError('the answer was lost (by explore)', 'unknown')
}
