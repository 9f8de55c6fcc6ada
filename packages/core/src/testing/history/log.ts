/** The calls of one process in the order in which they ended, and how to write down the next. */
export interface HistoryLog<Call> {
  readonly calls: readonly Call[]
  /**
   * Runs one call and writes down when it was made, when its answer came, and what it was. `read`
   * turns the answer, or the error, into the rest of what is known of it.
   */
  record<Answer>(
    work: () => Promise<Answer>,
    read: (answer: PromiseSettledResult<Answer>) => Omit<Call, 'invokedAt' | 'returnedAt'>,
  ): Promise<Answer>
}

/** @param clock The clock of all who take part. Default: this machine's. */
export function createHistoryLog<Call extends { invokedAt: number; returnedAt: number | null }>(
  clock: () => number = Date.now,
): HistoryLog<Call> {
  const calls: Call[] = []
  return {
    calls,
    async record(work, read) {
      const invokedAt = clock()
      const [answer] = await Promise.allSettled([work()])
      calls.push({ ...read(answer), invokedAt, returnedAt: clock() } as Call)
      if (answer.status === 'rejected') throw answer.reason
      return answer.value
    },
  }
}
