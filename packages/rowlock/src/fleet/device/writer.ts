import { ConflictError, type Driver, EngineError, GuardError } from '@rowlock/core'
import type { Ground } from '../../ground.ts'
import { deviceStatements } from '../statements/devices.ts'
import type { Saved } from '../types.ts'
import type { Watch } from '../watch.ts'
import type { Devices } from './devices.ts'
import type { DeviceFields } from './fields.ts'
import { findCircles, refuseCircles } from './parents.ts'
import { type DevicePlan, planDevice } from './plan.ts'

/** Makes devices and changes them. What somebody else changed meanwhile is read again, never lost. */
export interface DeviceWriter {
  /**
   * Makes what is not there, changes what is; what a field leaves out stays as it is.
   * @param options.dryRun only counts. @throws ConflictError where an address belongs to another device,
   * InvalidInputError for one that would stand behind itself.
   */
  save(
    project: number,
    fields: readonly DeviceFields[],
    options?: { readonly dryRun?: boolean },
  ): Promise<Saved>
  /** Makes one. False where there is one of this id already. */
  make(project: number, fields: DeviceFields): Promise<boolean>
}

/** Devices of one batch. */
const STEP = 500
/** Attempts when others change the same devices at the same time. */
const ATTEMPTS = 8

export function createDeviceWriter(
  { clock, now }: Ground,
  { driver, watch, devices }: { driver: Driver; watch: Watch; devices: Devices },
): DeviceWriter {
  const statements = deviceStatements(driver.dialect)

  const plan = async (project: number, fields: readonly DeviceFields[]): Promise<readonly DevicePlan[]> => {
    const ids = fields.map(({ id }) => id)
    const rows = await devices.rows(project, ids)
    const known = rows.size === 0 ? [] : (await watch.of(project).status({ ids, limit: STEP })).subjects
    const subjects = new Map(known.map((subject) => [subject.id, subject]))
    const at = clock()
    return fields.map((one) => planDevice(one, { row: rows.get(one.id), subject: subjects.get(one.id) }, at))
  }

  /** Both rows of each device, or nothing: fewer rows than devices is somebody else’s change. */
  const write = async (project: number, plans: readonly DevicePlan[]): Promise<void> => {
    const items = JSON.stringify(plans.map(({ item }) => item))
    const also = [statements.write.with({ project, devices: items, now: now() }, plans.length)]
    const outcome = await watch.of(project).registerMany(
      plans.map(({ expectations }) => expectations),
      { also },
    )
    if (!outcome.ok) throw outcome.cause
  }

  const attempt = async (project: number, plans: readonly DevicePlan[]): Promise<boolean> => {
    try {
      await write(project, plans)
      return true
    } catch (error) {
      if (error instanceof GuardError) return false
      if (error instanceof EngineError && error.fault === 'unique') {
        throw new ConflictError('a ping address belongs to another device already')
      }
      throw error
    }
  }

  const saveStep = async (
    project: number,
    fields: readonly DeviceFields[],
    dryRun: boolean,
  ): Promise<Saved> => {
    for (let tries = 0; tries < ATTEMPTS; tries++) {
      const plans = await plan(project, fields)
      const wanted = plans.filter(({ kind }) => kind !== 'unchanged')
      if (dryRun || wanted.length === 0 || (await attempt(project, wanted))) return count(plans)
    }
    throw new ConflictError('others are changing these devices at the same time')
  }

  return {
    async save(project, fields, { dryRun = false } = {}) {
      refuseCircles(await findCircles(watch, project, fields))
      let saved: Saved = { created: 0, changed: 0, unchanged: 0 }
      for (let from = 0; from < fields.length; from += STEP) {
        saved = sum(saved, await saveStep(project, fields.slice(from, from + STEP), dryRun))
      }
      return saved
    },
    async make(project, fields) {
      refuseCircles(await findCircles(watch, project, [fields]))
      const [one] = await plan(project, [fields])
      return one !== undefined && one.item.version === 0 && (await attempt(project, [one]))
    },
  }
}

function count(plans: readonly DevicePlan[]): Saved {
  const of = (wanted: DevicePlan['kind']) => plans.filter(({ kind }) => kind === wanted).length
  return { created: of('created'), changed: of('changed'), unchanged: of('unchanged') }
}

function sum(one: Saved, other: Saved): Saved {
  return {
    created: one.created + other.created,
    changed: one.changed + other.changed,
    unchanged: one.unchanged + other.unchanged,
  }
}
