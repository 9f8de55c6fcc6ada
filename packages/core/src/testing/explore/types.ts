import type { Driver } from '../../port/driver.ts'
import type { Engine } from '../engine.ts'

/** One of those who work at the same time. It reaches the database through its driver and no other way. */
export type Actor = (driver: Driver) => Promise<unknown>

/**
 * Where an actor meets a crash: `before` or after a step was applied; then it is `killed` and never
 * goes on, or the answer is `lost`: it sees UnavailableError (applied 'unknown') and goes on.
 */
export interface Crash {
  readonly at: 'before' | 'after'
  readonly fate: 'killed' | 'lost'
}

/** How an actor ended. */
export type ActorOutcome =
  | { readonly state: 'returned'; readonly value: unknown }
  | { readonly state: 'threw'; readonly error: unknown }
  | { readonly state: 'killed' }

/** One step of a schedule as it went. */
export interface TraceStep {
  readonly actor: string
  /** Names of the step's statements: one, or those of an atomic batch. */
  readonly statements: readonly string[]
  /** How many rows each gave; absent when nothing came back. */
  readonly rows?: readonly number[]
  readonly error?: unknown
  readonly crash?: Crash
  /** It had to wait for another transaction; only `overlap` sees that. */
  readonly waited?: true
}

/** One order of steps, run to its end. */
export interface Finished {
  /** A driver of its own, without a gate, to look at the data. */
  readonly driver: Driver
  readonly outcomes: Readonly<Record<string, ActorOutcome>>
  readonly trace: readonly TraceStep[]
}

/** What must hold in every order, and how long to look. */
export interface Rules {
  /** Throws when the data or the outcomes are not what every order must lead to. */
  invariant(finished: Finished): Promise<void> | void
  /** Errors that an actor may end with; by default none but an answer that explore itself lost. */
  mayThrow?(error: unknown): boolean
  /** Labels of what happened in this order, such as 'loser'; tallied in the report. */
  observe?(finished: Finished): readonly string[]
  /** Labels that must come up in at least one order; otherwise the exploration proves nothing and fails. */
  readonly mustSee?: readonly string[]
  /** Runs only this order, as a failure printed it. */
  readonly replay?: readonly string[]
  /** Ends with an error beyond this number of orders instead of running for hours. Default 1,000,000. */
  readonly atMost?: number
  /** Go on after a violation and report their number, instead of throwing at the first. Default false. */
  readonly countViolations?: boolean
}

export interface ExploreOptions extends Rules {
  /** Those who work at the same time, by name: two or three. */
  readonly actors: Readonly<Record<string, Actor>>
  /** Where each order is run, on fresh data. Default: SQLite in memory, from node:sqlite. */
  readonly engine?: Engine
  /** Makes the tables and rows that stand before the actors begin. */
  setup?(driver: Driver): Promise<void>
  /**
   * `every`: besides, one crash in each place of each order (two actors: thousands of orders).
   * `drawn`: besides, each order once more with one crash in a drawn place. `none`: no crashes.
   * Default `none`.
   */
  readonly crash?: 'none' | 'every' | 'drawn'
  /**
   * Runs so many drawn orders instead of all: for engines that are too slow for every order, behind an
   * exploration of all of them in memory.
   */
  readonly sample?: number
  /** What `drawn` and `sample` draw with; printed with every failure. Default 1. */
  readonly seed?: number
}

/** One order that led to what must not be. */
export interface Violation {
  readonly error: unknown
  readonly trace: readonly TraceStep[]
  /** Give it as `replay` to run this order alone. */
  readonly replay: readonly string[]
}

export interface ExploreReport {
  /** Orders that were run, those with a crash included. */
  readonly schedules: number
  /** Orders in which an actor crashed. */
  readonly crashes: number
  readonly violations: number
  /** The first of them. */
  readonly firstViolation?: Violation
  /** How often each label came up. */
  readonly observed: Readonly<Record<string, number>>
}
