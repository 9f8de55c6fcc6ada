import { text } from '../../port/row.ts'
import { orUnknown } from '../../port/run.ts'
import type { Liveness, Parts } from '../liveness.ts'
import { refuseAlso, together } from './together.ts'
import { unchanged } from './unchanged.ts'

export function pause(parts: Parts): Liveness['pause'] {
  return async (id, options = {}) => {
    const { driver, statements } = parts
    const list = statements.pause(id, options)
    refuseAlso(driver, options.also)
    return await orUnknown(async () => {
      const results = await together(driver, list, options.also)
      if (results === null) return await unchanged(parts, id)
      const closed = results[1]?.[0]
      return { ok: true, changed: true, closed: closed === undefined ? null : text(closed, 'id') }
    })
  }
}
