import { orUnknown, run } from '../../port/run.ts'
import type { Outbox, Parts } from '../outbox.ts'
import { named } from './stored.ts'

export function redrive({ driver, statements }: Parts): Outbox['redrive'] {
  return async (chosen, options = {}) => {
    const statement = statements.redrive(chosen, options)
    return await orUnknown(async () => ({
      ok: true,
      changed: named(await run(driver, statement, options.also)),
    }))
  }
}
