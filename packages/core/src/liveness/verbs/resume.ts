import { orUnknown } from '../../port/run.ts'
import type { Liveness, Parts } from '../liveness.ts'
import { refuseAlso, together } from './together.ts'
import { unchanged } from './unchanged.ts'

export function resume(parts: Parts): Liveness['resume'] {
  return async (id, options = {}) => {
    const { driver, statements } = parts
    const list = statements.resume(id, options)
    refuseAlso(driver, options.also)
    return await orUnknown(async () => {
      const results = await together(driver, list, options.also, 1)
      return results === null ? await unchanged(parts, id) : { ok: true, changed: true, closed: null }
    })
  }
}
