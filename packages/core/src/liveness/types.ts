import type { UnavailableError } from '../errors.ts'
import type { Statement } from '../port/driver.ts'
import type { Duration } from '../port/input.ts'

/** `late` is derived when it is read, never stored; see `Subject.late`. */
export type SubjectState = 'new' | 'up' | 'down' | 'paused'

/** Something that is watched: a device, a job, a service. Instants are ms since 1970. */
export interface Subject {
  readonly id: string
  readonly label: string | null
  readonly state: SubjectState
  readonly stateSince: number
  /** When the last beat came, by the server's clock; null before the first. Never moves back. */
  readonly lastSeen: number | null
  /** How many beats have been counted, duplicates and late ones included. */
  readonly beats: number
  readonly lateAfterMs: number
  readonly downAfterMs: number
  /** When it is down unless a beat comes; null while nothing is expected of it (new, paused). */
  readonly deadline: number | null
  /** Up, and silent for at least `lateAfterMs`. */
  readonly late: boolean
  readonly parent: string | null
  readonly tags: readonly string[]
  /** Alerts are muted up to this instant. */
  readonly maintenanceUntil: number | null
  /** The last beat's own time as its sender wrote it, for display and a warning; judges nothing. */
  readonly sentAt: number | null
}

export type DowntimeCause = 'silent' | 'failed' | 'never appeared'
export type EndReason = 'beat' | 'removed' | 'paused' | 'repaired'

/** One outage. */
export interface Downtime {
  readonly id: string
  readonly subject: string
  readonly label: string | null
  /** The last sign of life before it, or the beat that failed. */
  readonly startedAt: number
  readonly detectedAt: number
  /** Null while it lasts. */
  readonly endedAt: number | null
  /** Never negative; null while it lasts. */
  readonly durationMs: number | null
  readonly cause: DowntimeCause
  readonly endReason: EndReason | null
  /** Outages that follow each other within the episode window share it. */
  readonly episode: string
  /** Why no alert went out: `maintenance`, `parent`, `flapping`, `episode`, `mass`, `paused`; null where it did. */
  readonly suppressedBy: string | null
}

/** What a tick looked like from the outside. */
export type Verdict = 'normal' | 'catchUp' | 'massSuspect'

/**
 * What a check did. Proposals and writes have different words on purpose: `newlyDown` and `recovered` were
 * proposed by the reading, `opened`, `closed` and `alertsQueued` are rows that came back from the writes.
 */
export interface Summary {
  readonly run: string
  /** Due rows examined. */
  readonly checked: number
  readonly newlyDown: number
  readonly recovered: number
  readonly opened: number
  readonly closed: number
  readonly alertsQueued: number
  /** Proposed as down, and neither opened here nor open already: a beat or another check came between. */
  readonly raced: number
  /** Opened without an alert, because of maintenance, a parent, flapping, an episode. */
  readonly suppressed: number
  /** States and rows that disagreed and were brought in line. */
  readonly repaired: number
  readonly verdict: Verdict
  readonly durationMs: number
}

/** Could not ask, or could not hear the answer. Calling again is safe for every verb. */
export interface Unknown {
  readonly ok: false
  readonly reason: 'unknown'
  readonly cause: UnavailableError
}

/** There is no such subject (in this scope), or it was removed. */
export interface Missing {
  readonly ok: false
  readonly reason: 'missing'
}

export type RegisterOutcome =
  | {
      readonly ok: true
      /** It did not exist, or had been removed. */
      readonly created: boolean
      /** A threshold changed, so that its clock starts anew. */
      readonly rearmed: boolean
    }
  | Unknown

/** Each list holds ids. `created` and `changed` are rows that came back from the write. */
export type RegisterManyOutcome =
  | { readonly ok: true; readonly created: readonly string[]; readonly changed: readonly string[] }
  | Unknown

export type BeatOutcome =
  | {
      readonly ok: true
      readonly state: SubjectState
      /** The outage that this beat ended; null for none. */
      readonly closed: { readonly downtime: string; readonly durationMs: number } | null
      /** How far the sender's clock is from the server's, ms; null where the sender gave no time. */
      readonly skewMs: number | null
    }
  | Missing
  | Unknown

export type BeatManyOutcome =
  | {
      readonly ok: true
      /** Ids of the subjects whose beat was counted. */
      readonly counted: readonly string[]
      readonly closed: readonly {
        readonly subject: string
        readonly downtime: string
        readonly durationMs: number
      }[]
      readonly missing: readonly string[]
    }
  | Unknown

/** `opened`: the id of the outage that this call opened, null when one was open already. */
export type FailOutcome = { readonly ok: true; readonly opened: string | null } | Missing | Unknown

/** `changed`: whether this call changed it; `closed`: the id of the outage that it ended. */
export type ChangeOutcome =
  | { readonly ok: true; readonly changed: boolean; readonly closed: string | null }
  | Missing
  | Unknown

export type CheckOutcome = ({ readonly ok: true } & Summary) | Unknown

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

/** In the order of their ids. `next` is null on the last page. */
export interface SubjectPage {
  readonly subjects: readonly Subject[]
  readonly next: string | null
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

/** Newest first. `next` is null on the last page. */
export interface DowntimePage {
  readonly downtimes: readonly Downtime[]
  readonly next: string | null
}

export interface UptimeOptions {
  readonly from: number
  readonly to: number
  readonly now?: number
}

/** Within the span: known + unknown = its length, up to now. */
export interface Uptime {
  readonly subject: string
  /** From 0 to 1 of the known time; null where nothing is known. */
  readonly ratio: number | null
  readonly upMs: number
  readonly downMs: number
  /** Before it was registered, while paused, and while nobody watched. */
  readonly unknownMs: number
  readonly outages: number
}
