import { text } from '../../port/row.ts'
import { orUnknown } from '../../port/run.ts'
import type { Liveness, Parts } from '../liveness.ts'
import { refuseAlso, together } from './together.ts'

export function fail({ driver, statements }: Parts): Liveness['fail'] {
  return async (id, options = {}) => {
    const list = statements.fail(id, options)
    refuseAlso(driver, options.also)
    return await orUnknown(async () => {
      const results = await together(driver, list, options.also)
      if (results === null) return { ok: false, reason: 'missing' }
      const opened = results[1]?.[0]
      return { ok: true, opened: opened === undefined ? null : text(opened, 'id') }
    })
  }
}
