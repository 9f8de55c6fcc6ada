import type { Duration } from '../port/input.ts'
import type { Sql } from '../port/sql.ts'

/** What `createLiveness` takes. Lengths of time are "5m" or milliseconds. */
export interface LivenessOptions {
  /** What the tables' names begin with; default `rowlock_`. */
  readonly prefix?: string
  /** Whose subjects these are, a tenant for example: each call sees this scope only. Default: the empty one. */
  readonly scope?: string
  /** The clock of embedded use, in ms since 1970. Default: the database's, which all nodes share. */
  readonly clock?: () => number
  /** The expected distance of checks; after a gap of more than three the checker was asleep. Default 1 minute. */
  readonly every?: Duration
  /** Silent for so long is down, for subjects that say nothing else. Default 5 minutes. */
  readonly downAfter?: Duration
  /** Silent for so long is late. Default: `downAfter`, that is never late before it is down. */
  readonly lateAfter?: Duration
  /** Down again so soon after it was back is the same episode, and no second page. Default 10 minutes. */
  readonly episodeWindow?: Duration
  /** So many openings and endings within the time mute a subject's alerts. Default 6 within 1 hour. */
  readonly flapping?: { readonly changes?: number; readonly within?: Duration }
  /**
   * `least` or more fall silent at once, and at least this share of those that are up: they are held back for `holdTicks`
   * checks, and are one announcement. Default 0.5, 5, 2.
   */
  readonly mass?: { readonly share?: number; readonly least?: number; readonly holdTicks?: number }
  /** Every so many checks states and outages that disagree are brought in line. Default 10. */
  readonly repairEvery?: number
  /** How many subjects one batch of a check writes at most, 1 to 1000. Default 1000. */
  readonly batch?: number
  /**
   * Destinations of the outbox to which outages are told: a list for all subjects, or a sub-select with the columns scope,
   * subject_id and destination. Default: nobody is told.
   */
  readonly announceTo?: readonly string[] | Sql
}
