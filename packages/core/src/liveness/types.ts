import type { UnavailableError } from '../errors.ts'

export type * from './call-options.ts'

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

/** In the order of their ids. `next` is null on the last page. */
export interface SubjectPage {
  readonly subjects: readonly Subject[]
  readonly next: string | null
}

/** Newest first. `next` is null on the last page. */
export interface DowntimePage {
  readonly downtimes: readonly Downtime[]
  readonly next: string | null
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

/** How many rows of each kind were removed. `more`: a step was full, so there is probably more to remove. */
export type SweepOutcome =
  | {
      readonly ok: true
      readonly removed: {
        readonly checks: number
        readonly downtimes: number
        readonly blind: number
        readonly subjects: number
      }
      readonly more: boolean
    }
  | Unknown
