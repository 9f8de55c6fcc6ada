import type { Answer, Call, Grouping, Row, Statement } from '../port/driver.ts'
import type { Source } from './postgres-session.ts'
import { type Session, toError } from './session.ts'

/** Statements that one connection is given at once before it pays to use another as well. */
const WORTH_A_CONNECTION = 8

/**
 * Calls that arrive together never share a transaction here: rows that they lock in different orders
 * would make them deadlock. Where the pool pipelines, single statements share the round trips of a
 * connection instead, each committing by itself.
 */
export function groupingOver(
  source: Source,
  driver: {
    execute(statement: Statement): Promise<Row[]>
    batch(statements: readonly Statement[]): Promise<Row[][]>
    check(statement: Statement): void
    mayAgain(cause: unknown): boolean
  },
): Grouping {
  const alone = async (call: Call): Promise<Row[][]> =>
    'text' in call ? [await driver.execute(call)] : driver.batch(call)

  const lane = (statements: readonly Statement[]): Promise<Answer[]> => {
    const send = (session: Session) => async (statement: Statement) => {
      driver.check(statement)
      return session.send(statement)
    }
    return source
      .hold((session) => Promise.allSettled(statements.map(send(session))))
      .then(
        (replies) => Promise.allSettled(replies.map((reply, index) => settle(reply, statements[index]!))),
        () => Promise.allSettled(statements.map(alone)), // No connection was to be had; nothing was sent.
      )
  }

  const settle = async (reply: PromiseSettledResult<{ rows: Row[] }>, statement: Statement) => {
    if (reply.status === 'fulfilled') return [reply.value.rows]
    if (driver.mayAgain(reply.reason)) return alone(statement)
    throw toError(source.any, reply.reason, statement)
  }

  return {
    ready: () => true,
    async run(calls) {
      if (!source.pipelines) return Promise.allSettled(calls.map(alone))
      const single = calls.filter((call) => 'text' in call)
      const lanes = Math.min(source.connections, Math.ceil(single.length / WORTH_A_CONNECTION))
      const length = Math.ceil(single.length / lanes)
      const parts = Array.from({ length: lanes }, (_, at) => single.slice(at * length, (at + 1) * length))
      const batches = calls.filter((call) => !('text' in call))
      const [singleAnswers, batchAnswers] = await Promise.all([
        Promise.all(parts.map(lane)).then((answers) => answers.flat()),
        Promise.allSettled(batches.map(alone)),
      ])
      return calls.map((call) => ('text' in call ? singleAnswers : batchAnswers).shift() as Answer)
    },
  }
}
