import type { Value } from '../../port/driver.ts'
import { duration, wholeNumber } from '../../port/input.ts'
import { orUnknown, run } from '../../port/run.ts'
import type { Template } from '../../port/sql.ts'
import type { Liveness, Parts } from '../liveness.ts'
import { refuseAlso } from './together.ts'

/** Outages before the subjects that they hold. */
export function sweep({ driver, settings, lists }: Parts): Liveness['sweep'] {
  return async (options = {}) => {
    const { text } = lists
    const step = wholeNumber('step', options.step ?? 500, 1, 10_000)
    const steps = wholeNumber('steps', options.steps ?? 20, 1, 10_000)
    const checks = duration('checks', options.checks ?? '30d')
    const history = duration('history', options.history ?? '400d')
    const given = { scope: settings.scope, now: settings.now(options.now), step }
    refuseAlso(driver, options.also)
    let more = false
    const removed = async (template: Template, retention: Value): Promise<number> => {
      let rows = 0
      for (let taken = 0; taken < steps; taken += 1) {
        const gone = await run(driver, template.with({ ...given, retention }), options.also)
        rows += gone.length
        if (gone.length < step) return rows
      }
      more = true
      return rows
    }
    return await orUnknown(async () => {
      const counts = {
        checks: await removed(text.sweepChecks, checks),
        downtimes: await removed(text.sweepDowntimes, history),
        blind: await removed(text.sweepBlind, history),
        subjects: await removed(text.sweepSubjects, history),
      }
      return { ok: true, removed: counts, more }
    })
  }
}
