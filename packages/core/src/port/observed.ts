import type { Answer, Call, Driver, Grouping, Row, Statement } from './driver.ts'

/** What is told of a statement that was run: never its values, never its rows. */
export interface StatementEvent {
  /** The statement's name, such as `claims.acquire`. */
  readonly name: string
  /** How many rows came back. */
  readonly rows: number
  /** How long the call took, in ms: the whole batch or group for a statement that was part of one. */
  readonly durationMs: number
  /** What the call was answered with instead of rows. */
  readonly error?: unknown
  /** Where the statement stood, for statements of a batch. */
  readonly batch?: { readonly index: number; readonly size: number }
}

export interface ObservedOptions {
  /**
   * Is told of every statement when its call is over. What it throws is dropped: a failing log line
   * must not make a failure of a write that was carried out.
   */
  onStatement(event: StatementEvent): void
}

/** A driver that tells of the statements it runs, for logs, metrics and traces. */
export function observed(driver: Driver, { onStatement }: ObservedOptions): Driver {
  const tell = (event: StatementEvent) => {
    try {
      onStatement(event)
    } catch {}
  }

  const tellCall = (call: Call, answer: Answer, durationMs: number) => {
    const failed = answer.status === 'rejected' ? { error: answer.reason } : {}
    const rows = (index: number) => (answer.status === 'fulfilled' ? answer.value[index]!.length : 0)
    if ('text' in call) return tell({ name: call.name, rows: rows(0), durationMs, ...failed })
    for (const [index, { name }] of call.entries()) {
      tell({ name, rows: rows(index), durationMs, ...failed, batch: { index, size: call.length } })
    }
  }

  const told = async (call: Call, work: () => Promise<Row[][]>): Promise<Row[][]> => {
    const start = performance.now()
    const [answer] = (await Promise.allSettled([work()])) as [Answer]
    tellCall(call, answer, performance.now() - start)
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  }

  const observe = (grouping: Grouping): Grouping => ({
    ready: () => grouping.ready(),
    async run(calls) {
      const start = performance.now()
      const answers = await grouping.run(calls)
      const durationMs = performance.now() - start
      for (const [index, call] of calls.entries()) tellCall(call, answers[index]!, durationMs)
      return answers
    },
  })

  return {
    dialect: driver.dialect,
    atomicBatch: driver.atomicBatch,
    async execute(statement: Statement) {
      const [rows] = await told(statement, async () => [await driver.execute(statement)])
      return rows!
    },
    batch: (statements) => told(statements, () => driver.batch(statements)),
    async close() {
      await driver.close?.()
    },
    ...(driver.grouping !== undefined && { grouping: observe(driver.grouping) }),
  }
}
