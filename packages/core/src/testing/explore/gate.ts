import { UnavailableError } from '../../errors.ts'
import type { Driver, Row, Statement } from '../../port/driver.ts'
import { sequential } from '../sequential.ts'
import type { Crash } from './types.ts'

/** What an actor has asked for and the scheduler has not let through yet. */
interface Request {
  readonly statements: readonly Statement[]
  run(): Promise<Row[][]>
  resolve(results: Row[][]): void
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

  const ask = (statements: readonly Statement[], run: () => Promise<Row[][]>) =>
    new Promise<Row[][]>((resolve, reject) => {
      requests.push({ statements, run, resolve, reject })
      onRequest()
    })

  const driver: Driver = {
    dialect: inner.dialect,
    atomicBatch: inner.atomicBatch,
    async execute(statement) {
      const [rows] = await ask([statement], async () => [await inner.execute(statement)])
      return rows!
    },
    batch: (statements) => ask(statements, () => inner.batch(statements)),
  }

  return {
    // Without an atomic batch each statement of a batch is a step of its own.
    driver: inner.atomicBatch ? driver : sequential(driver),
    waiting: () => requests.length > 0,
    async step(crash) {
      const request = requests.shift()!
      const { statements } = request
      if (crash?.at === 'before') {
        if (crash.then === 'lost') request.reject(lost())
        return { statements }
      }
      try {
        const results = await request.run()
        if (crash === undefined) request.resolve(results)
        else if (crash.then === 'lost') request.reject(lost())
        return { statements, results }
      } catch (error) {
        if (crash?.then !== 'killed') request.reject(error)
        return { statements, error }
      }
    },
  }
}

function lost(): UnavailableError {
  return new UnavailableError('the answer was lost (by explore)', 'unknown')
}
