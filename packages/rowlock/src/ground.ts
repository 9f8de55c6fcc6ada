import type { Driver } from '@rowlock/core'
import { createReader, type Reader } from './reading.ts'

/** What every domain of the hub stands on. */
export interface Ground {
  readonly driver: Driver
  readonly reader: Reader
  /** The clock of this process in ms: for the time events were received, and for what lives in memory. */
  clock(): number
  /** The instant that judges in statements: the injected clock's, or null for the database's own. */
  now(): number | null
}

/** @param clock replaces both clocks, for tests and embedded use. */
export function createGround(driver: Driver, clock?: () => number): Ground {
  return {
    driver,
    reader: createReader(driver),
    clock: clock ?? Date.now,
    now: () => clock?.() ?? null,
  }
}
