import type { UnavailableError } from '../errors.ts'
import type { Statement } from '../port/driver.ts'
import type { Duration } from '../port/input.ts'

/** What is to be sent. */
export interface Message {
  /** What it is about, such as `issue.won`; at most 200 characters. */
  readonly topic: string
  /** Where it goes: a name of yours, at most 200 characters. Destinations never delay each other. */
  readonly destination: string
  /** One row for each, for ever (as long as rows are kept); at most 512 characters. Send it along. */
  readonly dedupKey: string
  /** Rows of one destination and ordering key are sent strictly in the order of their ids; at most 512 characters. */
  readonly orderingKey?: string | null
  /** A JSON value. It is stored as text once, so that every attempt sends the same bytes. */
  readonly payload: unknown
  /** Not sent before this instant, in ms since 1970. Default: at once. */
  readonly notBefore?: number
  /** Not sent before this length of time has passed on the database's clock. Not together with `notBefore`. */
  readonly delay?: Duration
}

export type MessageState = 'pending' | 'leased' | 'sent' | 'cancelled' | 'dead'

/** One row of the outbox. Instants are ms since 1970. */
export interface StoredMessage {
  readonly id: number
  readonly topic: string
  readonly destination: string
  readonly dedupKey: string
  readonly orderingKey: string | null
  /** JSON text, exactly as stored. */
  readonly payload: string
  readonly notBefore: number
  readonly state: MessageState
  /** Rises with every lease; an answer counts only under the token it was leased with. */
  readonly token: number
  readonly leaseUntil: number | null
  /** How often it has been leased since it was enqueued or redriven. */
  readonly attempts: number
  /** A failed attempt after this instant is the last. */
  readonly giveUpAt: number
  readonly lastError: string | null
  /** The run that enqueued it, where one was named. */
  readonly run: string | null
  readonly createdAt: number
  readonly finishedAt: number | null
}

/** What names a lease: any message that `lease` gave is one. */
export interface Lease {
  readonly id: number
  readonly token: number
}

/** The row's two names. */
export interface Named {
  readonly id: number
  readonly dedupKey: string
}

/**
 * Could not ask, or could not hear the answer: `cause.applied` tells which. Never a yes or a no.
 * Calling again is safe for every verb.
 */
export interface Unknown {
  readonly ok: false
  readonly reason: 'unknown'
  readonly cause: UnavailableError
}

/** `enqueued` are the rows written; the others' dedup keys were there already. */
export type EnqueueOutcome =
  | { readonly ok: true; readonly enqueued: readonly Named[]; readonly duplicates: number }
  | Unknown

/** `dead` are rows whose last attempt was never answered: they were found here and given up. */
export type LeaseOutcome =
  | { readonly ok: true; readonly messages: readonly StoredMessage[]; readonly dead: readonly Named[] }
  | Unknown

/**
 * What became of the row. `notBefore` is the next attempt where it is pending again.
 * 'lost': the lease ran out and somebody else took the row, or has answered; nothing was changed.
 */
export type AnswerOutcome =
  | { readonly ok: true; readonly state: 'sent' | 'dead' }
  | { readonly ok: true; readonly state: 'pending'; readonly notBefore: number }
  | { readonly ok: false; readonly reason: 'lost' }
  | Unknown

/** The rows that were changed. */
export type ChangeOutcome = { readonly ok: true; readonly changed: readonly Named[] } | Unknown

/** `changed`: whether this call switched it. */
export type SwitchOutcome = { readonly ok: true; readonly changed: boolean } | Unknown

/** `more`: the last step was full, so there is probably more to remove. */
export type SweepOutcome = { readonly ok: true; readonly removed: number; readonly more: boolean } | Unknown

/** What every verb takes. */
export interface CallOptions {
  /** The instant that judges, in ms since 1970. Default: the `clock` option, else the database's clock. */
  readonly now?: number
  /** Statements that commit together with the verb or not at all. Needs a driver with an atomic batch. */
  readonly also?: readonly Statement[]
}

export interface EnqueueOptions extends CallOptions {
  /** A name for this run, written to the rows, for counting them afterwards; at most 200 characters. */
  readonly run?: string
}

export interface LeaseOptions extends CallOptions {
  /** At most this many rows, 1 to 1000. */
  readonly limit: number
  /** For how long nobody else gets them; choose more than one attempt takes. */
  readonly ttl: Duration
  /**
   * How many rows of one destination may be out at once, others' leases included; default: no cap.
   * On PostgreSQL two leases in the same instant may each count without the other.
   */
  readonly perDestination?: number
}

export interface RetryOptions extends CallOptions {
  /** What went wrong; cut at 2,000 characters. */
  readonly error: string
  /** The destination's Retry-After, in ms. The next attempt comes no earlier. */
  readonly retryAfterMs?: number
}

export interface DeadOptions extends CallOptions {
  readonly error: string
}

/** Which messages: by dedup keys, or all of an ordering key. */
export type Chosen =
  | { readonly dedupKeys: readonly string[] }
  | { readonly orderingKey: string; readonly destination: string }

/** Which dead messages: by dedup keys, or the oldest `limit` of a destination (default 100). */
export type ChosenDead =
  | { readonly dedupKeys: readonly string[] }
  | { readonly destination: string; readonly limit?: number }

export interface ListOptions {
  readonly state?: MessageState
  readonly destination?: string
  readonly topic?: string
  readonly orderingKey?: string
  readonly dedupKey?: string
  readonly run?: string
  /** Older than this id: `next` of the page before. */
  readonly before?: number
  /** 1 to 1000, default 100. */
  readonly limit?: number
}

/** Newest first. `next` is null on the last page. */
export interface Page {
  readonly messages: readonly StoredMessage[]
  readonly next: number | null
}

export interface SweepOptions extends CallOptions {
  /** Finished rows older than this are removed. Default 30 days. */
  readonly retention?: Duration
  /** Rows of one step, 1 to 10,000, default 500. */
  readonly step?: number
  /** Steps of this call, default 20. */
  readonly steps?: number
}

export interface DisabledDestination {
  readonly destination: string
  readonly disabledAt: number
  readonly reason: string | null
}

export interface OutboxOptions {
  /** What the tables' names begin with; default `rowlock_`. */
  readonly prefix?: string
  /** The clock of embedded use, in ms since 1970. Default: the database's. */
  readonly clock?: () => number
  /** From 0 up to 1: spreads retries and decides which destination comes first. Default Math.random. */
  readonly random?: () => number
  /** A message is given up after so many attempts; default 25. */
  readonly attempts?: number
  /** A message is given up when an attempt fails so long after it was first due; default 3 days. */
  readonly maxAge?: Duration
  /** The delay after the first failure, doubled at each further one; default 5 s. */
  readonly firstDelay?: Duration
  /** The longest delay of our own; default 6 h. */
  readonly longestDelay?: Duration
  /** The longest Retry-After that is obeyed; default 1 day. */
  readonly longestRetryAfter?: Duration
  /** The longest payload, in bytes of JSON; default 256 KiB. */
  readonly payloadBytes?: number
}
