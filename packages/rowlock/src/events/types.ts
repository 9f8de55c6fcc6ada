import type { FingerprintInput } from './fingerprint/index.ts'

export const levels = ['fatal', 'error', 'warning', 'info', 'debug'] as const
export type Level = (typeof levels)[number]

/** An event that has been read, cleaned and named, and waits to be counted. */
export interface ReadEvent {
  readonly project: number
  /** The sender's own id, or one made here. Within a project an id counts once. */
  readonly eventId: string
  /** Project and fingerprint: `1-d41d8cd98f00b204e9800998ecf8427e`. */
  readonly issue: string
  readonly fingerprint: string
  readonly fingerprintVersion: number
  readonly source: string
  readonly level: Level
  readonly title: string
  /** When it happened, ms since 1970; never later than a minute after it was received. */
  readonly at: number
  /** The event as it came. */
  readonly raw: Readonly<Record<string, unknown>>
  /** The cool-down of its project in ms. */
  readonly windowMs: number
}

/** The fields of an event that say what kind of trouble it is, cleaned. */
export type Trouble = FingerprintInput & { readonly source: string }

/** The answer to one event of a request. */
export type Answer = Accepted | Refused

export interface Accepted {
  readonly accepted: true
  /** The event's id. */
  readonly id: string
  /** Whether this id had been counted before; then nothing was counted now. */
  readonly duplicate: boolean
  readonly issue: string
  /** True for exactly one event per issue and window: its work has been started. */
  readonly won: boolean
  /** All events of the issue so far. */
  readonly count: number
}

export interface Refused {
  readonly accepted: false
  readonly error: {
    readonly code: string
    readonly message: string
    readonly field?: string
  }
}
