import type { Driver } from '../port/driver.ts'
import { settings } from './input/settings.ts'
import type { Liveness, Parts } from './liveness.ts'
import type { LivenessOptions } from './options.ts'
import { calls } from './statements/calls.ts'
import { tableNames } from './statements/index.ts'
import { lists } from './statements/lists.ts'
import { beat } from './verbs/beat.ts'
import { beatMany } from './verbs/beat-many.ts'
import { check } from './verbs/check.ts'
import { downtimes } from './verbs/downtimes.ts'
import { fail } from './verbs/fail.ts'
import { install } from './verbs/install.ts'
import { pause } from './verbs/pause.ts'
import { register, registerMany } from './verbs/register.ts'
import { remove } from './verbs/remove.ts'
import { resume } from './verbs/resume.ts'
import { status } from './verbs/status.ts'
import { sweep } from './verbs/sweep.ts'
import { uptime } from './verbs/uptime.ts'

export {
  type Classification,
  classify,
  type Guard,
  type Proposal,
  type Reading,
  type Still,
  type StillReason,
  type Thresholds,
  type Tick,
} from './classify.ts'
export type { Liveness } from './liveness.ts'
export type { LivenessOptions } from './options.ts'
export { livenessSchema } from './schema.ts'
export type { LivenessStatements } from './statements/calls.ts'
export type * from './types.ts'

/**
 * Liveness on a database: subjects beat, a check finds those that fell silent, and every outage is one row and one alert.
 * @throws InvalidInputError for an option outside its bounds.
 */
export function createLiveness(driver: Driver, options: LivenessOptions = {}): Liveness {
  const given = settings(options)
  const made = lists(driver.dialect, given)
  const statements = calls(given, made)
  const tables = tableNames(given.prefix)
  const parts: Parts = { driver, tables, settings: given, lists: made, statements }
  return {
    statements,
    install: install(driver, given.prefix),
    register: register(parts),
    registerMany: registerMany(parts),
    beat: beat(parts),
    beatMany: beatMany(parts),
    fail: fail(parts),
    pause: pause(parts),
    resume: resume(parts),
    remove: remove(parts),
    check: check(parts),
    status: status(parts),
    downtimes: downtimes(parts),
    uptime: uptime(parts),
    sweep: sweep(parts),
  }
}
