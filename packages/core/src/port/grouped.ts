import { checkBatch, checkSingle } from './check.ts'
import type { Answer, Call, Driver, Row } from './driver.ts'
import { wholeNumber } from './input.ts'

export interface GroupedOptions {
  /** How long a call may wait for others, in ms. Default 0: until the event loop has done what is ready now. */
  readonly withinMs?: number
  /** How many calls make a group at most. Default 1000. */
  readonly atMost?: number
}

interface Waiting {
  readonly call: Call
  readonly resolve: (rows: Row[][]) => void
  readonly reject: (error: unknown) => void
}

/**
 * A driver for long-lived processes with many callers at once: calls that arrive together are given
 * to the engine together, each with its own answer, and each answered only after its commit.
 *
 * On SQLite a group shares one transaction and so one write to the disk, which makes full durability
 * nearly free. On PostgreSQL it shares round trips, where the pool pipelines. An engine that gains
 * nothing gets its own driver back; D1 does, for on Workers requests must not wait for one another.
 */
export function grouped(driver: Driver, options: GroupedOptions = {}): Driver {
  const withinMs = wholeNumber('withinMs', options.withinMs ?? 0, 0, 1000)
  const atMost = wholeNumber('atMost', options.atMost ?? 1000, 1, 10_000)
  const { dialect, atomicBatch, grouping } = driver
  if (grouping === undefined) return driver
  let waiting: Waiting[] = []

  const run = async (calls: readonly Call[]): Promise<Answer[]> => {
    const [only] = calls
    if (calls.length > 1 || only === undefined) return grouping.run(calls)
    return Promise.allSettled([
      'text' in only ? driver.execute(only).then((rows) => [rows]) : driver.batch(only),
    ])
  }

  const flush = () => {
    if (waiting.length === 0) return
    const group = waiting
    waiting = []
    run(group.map(({ call }) => call)).then(
      (answers) => {
        for (const [index, one] of group.entries()) settle(one, answers[index]!)
      },
      (error) => {
        for (const { reject } of group) reject(error)
      },
    )
  }

  const join = (call: Call): Promise<Row[][]> =>
    new Promise((resolve, reject) => {
      if (waiting.push({ call, resolve, reject }) === 1) later(withinMs, flush)
      if (waiting.length >= atMost) flush()
    })

  return {
    dialect,
    atomicBatch,
    async execute(statement) {
      if (!grouping.ready()) return driver.execute(statement)
      checkSingle(statement)
      return (await join(statement))[0]!
    },
    async batch(statements) {
      if (!grouping.ready()) return driver.batch(statements)
      checkBatch(dialect, statements)
      return join(statements)
    },
    async close() {
      flush()
      await driver.close?.()
    },
  }
}

function settle({ resolve, reject }: Waiting, answer: Answer): void {
  if (answer.status === 'fulfilled') resolve(answer.value)
  else reject(answer.reason)
}

/** After what is ready now; a timer where there is no such thing. */
function later(withinMs: number, work: () => void): void {
  if (withinMs === 0 && typeof setImmediate === 'function') setImmediate(work)
  else setTimeout(work, withinMs)
}
