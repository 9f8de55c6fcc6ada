import type { Call, Driver, Row, Statement } from '../../port/driver.ts'
import type { Engine } from '../engine.ts'

/** What a wrapper does to what passes through it. */
export interface Change {
  /** Each statement, alone or in a batch. */
  statement?(statement: Statement): Statement
  /** A batch as a whole, its statements changed already; the rows come back in the order given here. */
  batch?(statements: readonly Statement[]): readonly Statement[]
  /** The rows of a batch, to be put back in order. */
  results?(results: Row[][], statements: readonly Statement[]): Row[][]
  /** Called with each statement that the database carried out. */
  succeeded?(statement: Statement): void
}

/** A driver through which everything is changed on its way; calls of a group as well. */
export function changed(driver: Driver, change: Change): Driver {
  const one = (statement: Statement) => change.statement?.(statement) ?? statement
  const many = (statements: readonly Statement[]) => {
    const each = statements.map(one)
    return change.batch?.(each) ?? each
  }
  const call = (given: Call): Call => ('text' in given ? one(given) : many(given))
  const { grouping } = driver
  return {
    dialect: driver.dialect,
    atomicBatch: driver.atomicBatch,
    async execute(statement) {
      const sent = one(statement)
      const rows = await driver.execute(sent)
      change.succeeded?.(sent)
      return rows
    },
    async batch(statements) {
      const sent = many(statements)
      const results = await driver.batch(sent)
      for (const statement of sent) change.succeeded?.(statement)
      return change.results?.(results, statements) ?? results
    },
    ...(driver.close && { close: () => driver.close!() }),
    ...(grouping && {
      grouping: {
        ready: () => grouping.ready(),
        run: (calls: readonly Call[]) => grouping.run(calls.map(call)),
      },
    }),
  }
}

/** An engine all of whose drivers are wrapped. */
export function onEngine(engine: Engine, wrap: (driver: Driver) => Driver): Engine {
  return {
    ...engine,
    async open() {
      const opened = await engine.open()
      const { peer } = opened
      return {
        ...opened,
        driver: wrap(opened.driver),
        ...(peer && { peer: async () => wrap(await peer()) }),
      }
    },
  }
}
