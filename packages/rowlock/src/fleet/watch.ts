import type { Driver, Sql } from '@rowlock/core'
import { type ChangeOutcome, createLiveness, type Liveness } from '@rowlock/core/liveness'
import { dueAfter } from './device/plan.ts'
import type { DeviceRow } from './rows.ts'

/** The library's liveness for each project: its scope is the project's number. */
export interface Watch {
  of(project: number): Liveness
  /** Beats of a paused device are expected again: from `now` on, or, where it has a schedule, at its next time. */
  resume(
    device: Pick<DeviceRow, 'project' | 'id' | 'schedule' | 'timezone'>,
    now: number,
  ): Promise<ChangeOutcome>
}

export interface WatchOptions {
  readonly driver: Driver
  readonly clock: (() => number) | undefined
  /** The distance of checks. */
  readonly everyMs: number
  readonly announceTo: Sql
}

export function createWatch({ driver, clock, everyMs, announceTo }: WatchOptions): Watch {
  const made = new Map<number, Liveness>()
  const of = (project: number): Liveness => {
    const known = made.get(project)
    if (known !== undefined) return known
    const liveness = createLiveness(driver, {
      scope: String(project),
      every: everyMs,
      announceTo,
      ...(clock === undefined ? {} : { clock }),
    })
    made.set(project, liveness)
    return liveness
  }
  return {
    of,
    async resume(device, now) {
      const liveness = of(device.project)
      const due = dueAfter(device, now)
      const also = 'nextDueAt' in due ? liveness.statements.register(device.id, due) : []
      return await liveness.resume(device.id, { also })
    },
  }
}
