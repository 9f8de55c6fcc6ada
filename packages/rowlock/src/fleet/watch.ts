import type { Driver, Sql } from '@rowlock/core'
import { createLiveness, type Liveness } from '@rowlock/core/liveness'

/** The library's liveness for each project: its scope is the project's number. */
export interface Watch {
  of(project: number): Liveness
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
  return {
    of(project) {
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
    },
  }
}
