import { text } from '../../port/row.ts'
import { orUnknown } from '../../port/run.ts'
import type { Liveness, Parts } from '../liveness.ts'
import { refuseAlso, together } from './together.ts'

export function remove({ driver, statements }: Parts): Liveness['remove'] {
  return async (id, options = {}) => {
    const list = statements.remove(id, options)
    refuseAlso(driver, options.also)
    return await orUnknown(async () => {
      const results = await together(driver, list, options.also)
      if (results === null) return { ok: false, reason: 'missing' }
      const closed = results[1]?.[0]
      return { ok: true, changed: true, closed: closed === undefined ? null : text(closed, 'id') }
    })
  }
}
