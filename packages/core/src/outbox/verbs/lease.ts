import { text } from '../../port/row.ts'
import { orUnknown, run } from '../../port/run.ts'
import type { Outbox, Parts } from '../outbox.ts'
import { named, stored } from './stored.ts'

export function lease({ driver, statements }: Parts): Outbox['lease'] {
  return async (options) => {
    const statement = statements.lease(options)
    return await orUnknown(async () => {
      const rows = await run(driver, statement, options.also)
      const given = rows.filter((row) => text(row, 'state') === 'leased').map(stored)
      return {
        ok: true,
        messages: given.sort((left, right) => left.notBefore - right.notBefore || left.id - right.id),
        dead: named(rows.filter((row) => text(row, 'state') === 'dead')),
      }
    })
  }
}
