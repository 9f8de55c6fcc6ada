import { orUnknown, run } from '../../port/run.ts'
import type { Outbox, Parts } from '../outbox.ts'
import { named } from './stored.ts'

export function cancel({ driver, statements }: Parts): Outbox['cancel'] {
  return async (chosen, options = {}) => {
    const statement = statements.cancel(chosen, options)
    return await orUnknown(async () => ({
      ok: true,
      changed: named(await run(driver, statement, options.also)),
    }))
  }
}
