import type { Driver } from '../port/driver.ts'
import type { ModuleSchema } from '../port/schema.ts'
import type { Need } from './engine.ts'

/** What every engine must show of one part of Rowlock. */
export interface Suite {
  /** The part's name: `driver`, `install`, `claims`. */
  readonly name: string
  /** Modules whose tables stand before each case begins. */
  readonly schemas?: readonly ModuleSchema[]
  readonly cases: readonly Case[]
}

/** One thing to show, on a database of its own. */
export interface Case {
  /** A sentence that is true when the case passes. */
  readonly name: string
  /** Engines that lack one of these skip the case, with their reason. */
  readonly needs?: readonly Need[]
  run(context: CaseContext): Promise<void>
}

export interface CaseContext {
  readonly driver: Driver
  /** One more connection to the same data; only for cases that need `peer`. */
  peer(): Promise<Driver>
  /** Cuts `driver` off; only for cases that need `crash`. */
  crash(): Promise<void>
}
