import type { Driver, Row, Statement } from '../../port/driver.ts'
import { text, truth } from '../../port/row.ts'
import { orUnknown } from '../../port/run.ts'
import { readId, readSubject, readSubjects } from '../input/expectations.ts'
import type { Liveness, Parts } from '../liveness.ts'
import { refuseAlso, stepsOf } from './together.ts'

export function register({ driver, settings, lists }: Parts): Liveness['register'] {
  return async (id, options = {}) => {
    const list = lists.register([readSubject(readId(id), options)], settings.now(options.now))
    refuseAlso(driver, options.also)
    return await orUnknown(async () => {
      const { created, changed } = await save(driver, list, options.also)
      const rearmed = changed.some((row) => truth(row, 'rearmed'))
      return { ok: true, created: created.length > 0, rearmed }
    })
  }
}

export function registerMany({ driver, settings, lists }: Parts): Liveness['registerMany'] {
  return async (subjects, options = {}) => {
    const items = readSubjects(subjects)
    const now = settings.now(options.now)
    const { also = [] } = options
    refuseAlso(driver, also)
    return await orUnknown(async () => {
      const created: string[] = []
      const changed: string[] = []
      for (const step of also.length === 0 ? stepsOf(items) : [items]) {
        const saved = await save(driver, lists.register(step, now), also)
        created.push(...saved.created.map((row) => text(row, 'id')))
        changed.push(...saved.changed.map((row) => text(row, 'id')))
      }
      return { ok: true, created, changed }
    })
  }
}

async function save(
  driver: Driver,
  list: readonly Statement[],
  also: readonly Statement[] = [],
): Promise<{ created: Row[]; changed: Row[] }> {
  const [created = [], changed = []] = await driver.batch([...list, ...also])
  return { created, changed }
}
