import type { Statement } from '../port/driver.ts'
import type { Duration } from '../port/input.ts'
import type { SubjectState } from './types.ts'

export interface CallOptions {
  /** The instant that judges, in ms since 1970. Default: the `clock` option, else the database's clock. */
  readonly now?: number
  /** Statements that commit together with the verb or not at all. Needs a driver with an atomic batch. */
  readonly also?: readonly Statement[]
}

/** What is expected of a subject. Left out: as it is, or the options of `createLiveness` for a new one. */
export interface Expectations {
  readonly label?: string | null
  /** Silent for so long is down (the tie too). */
  readonly downAfter?: Duration
  /** Silent for so long is late. Default: `downAfter`, that is never late before it is down. */
  readonly lateAfter?: Duration
  /**
   * When the next beat is due, for schedules, in ms since 1970; `downAfter` is the grace after it. Given again with each
   * beat. Null: back to plain silence.
   */
  readonly nextDueAt?: number | null
  /** A new subject that has not appeared within this time is down. Default: it stays new. */
  readonly mustAppearWithin?: Duration
  readonly parent?: string | null
  /** At most 50 of at most 100 characters. */
  readonly tags?: readonly string[]
  /** Mutes alerts, never beats or rows. */
  readonly maintenanceUntil?: number | null
}

export interface RegisterOptions extends CallOptions, Expectations {}

export interface BeatOptions extends CallOptions {
  /** The sender's own time, in ms since 1970: kept for display and a skew warning. */
  readonly sentAt?: number
  /**
   * When it was received, where that was earlier than now (a gateway's queue), by the server's clock; never later than now.
   * An old one never moves `lastSeen` back and never ends an outage that began later.
   */
  readonly receivedAt?: number
  readonly nextDueAt?: number | null
  /** Registers it first where it does not exist. */
  readonly register?: Expectations
}

/** One of the beats of `beatMany`. */
export interface Beat extends Pick<BeatOptions, 'sentAt' | 'receivedAt' | 'nextDueAt'> {
  readonly id: string
}

export interface FailOptions extends CallOptions {
  /** Kept with the outage and told in the alert; cut at 2,000 characters. */
  readonly reason?: string
  readonly nextDueAt?: number | null
}

export interface CheckOptions extends CallOptions {
  /** A name for this run, unique; a random one by default. */
  readonly run?: string
}

export interface StatusOptions {
  readonly state?: SubjectState | 'late'
  readonly tag?: string
  readonly ids?: readonly string[]
  /** Part of the id or label. */
  readonly search?: string
  /** `next` of the page before. */
  readonly after?: string
  /** 1 to 1000, default 100. */
  readonly limit?: number
  readonly now?: number
}

export interface DowntimesOptions {
  readonly subject?: string
  readonly open?: boolean
  /** Those that touch this span of time, ms since 1970. */
  readonly from?: number
  readonly to?: number
  readonly episode?: string
  readonly before?: string
  readonly limit?: number
}

export interface UptimeOptions {
  readonly from: number
  readonly to: number
  readonly now?: number
}

export interface SweepOptions extends CallOptions {
  /** Records of checks older than this are removed. Default 30 days. */
  readonly checks?: Duration
  /** Outages that ended before, blind times and removed subjects, likewise. Default 400 days. */
  readonly history?: Duration
  /** Rows of one step, 1 to 10,000, default 500. */
  readonly step?: number
  /** Steps for each kind, default 20. */
  readonly steps?: number
}
