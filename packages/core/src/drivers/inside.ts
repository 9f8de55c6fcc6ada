import { checkBatch, checkSingle, checkSize, checkText } from '../port/check.ts'
import type { Dialect } from '../port/dialect.ts'
import type { Driver, Row, Statement } from '../port/driver.ts'
import { type Session, savepoint } from './session.ts'

const lastCalls = new WeakMap<object, Promise<unknown>>()

/**
 * A driver inside a transaction that the caller has opened and will end: every call runs under a
 * savepoint, so that losing, a failed guard or an error undoes only that call.
 *
 * @param owner the object that stands for the transaction: calls of all drivers over it take turns.
 */
export function insideTransaction(dialect: Dialect, session: Session, owner: object): Driver {
  /** One after the other: savepoints of calls that run at once would come to lie inside one another. */
  const inTurn = (statements: readonly Statement[]): Promise<Row[][]> => {
    const work = () => savepoint(session, statements)
    const turn = (lastCalls.get(owner) ?? Promise.resolve()).then(work, work)
    lastCalls.set(owner, turn)
    return turn
  }

  return {
    dialect,
    atomicBatch: true,
    async execute(statement) {
      checkSingle(statement)
      checkSent(dialect, statement)
      const [rows] = await inTurn([statement])
      return rows as Row[]
    },
    async batch(statements) {
      checkBatch(dialect, statements)
      for (const statement of statements) checkSent(dialect, statement)
      return inTurn(statements)
    },
  }
}

/** What is refused of any statement before it is sent. */
export function checkSent(dialect: Dialect, statement: Statement): void {
  checkText(statement.text)
  checkSize(dialect, statement)
}
