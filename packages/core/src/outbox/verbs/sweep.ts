import { wholeNumber } from '../../port/input.ts'
import { orUnknown, run } from '../../port/run.ts'
import type { Outbox, Parts } from '../outbox.ts'

export function sweep({ driver, statements }: Parts): Outbox['sweep'] {
  return async (options = {}) => {
    const { step = 500, also } = options
    const steps = wholeNumber('steps', options.steps ?? 20, 1, 10_000)
    const statement = statements.sweep(options)
    return await orUnknown(async () => {
      let removed = 0
      for (let taken = 0; taken < steps; taken += 1) {
        const rows = await run(driver, statement, also)
        removed += rows.length
        if (rows.length < step) return { ok: true, removed, more: false }
      }
      return { ok: true, removed, more: true }
    })
  }
}
