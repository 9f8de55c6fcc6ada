import type { Driver } from '../port/driver.ts'
import type { TableNames } from '../port/schema.ts'
import type { Sql } from '../port/sql.ts'
import type { OutboxStatements } from './statements/calls.ts'
import type { Templates } from './statements/index.ts'
import type {
  AnswerOutcome,
  CallOptions,
  ChangeOutcome,
  Chosen,
  ChosenDead,
  DeadOptions,
  DisabledDestination,
  EnqueueOptions,
  EnqueueOutcome,
  Lease,
  LeaseOptions,
  LeaseOutcome,
  ListOptions,
  Message,
  Page,
  RetryOptions,
  StoredMessage,
  SweepOptions,
  SweepOutcome,
  SwitchOutcome,
} from './types.ts'

/**
 * The outbox. Every verb throws InvalidInputError before anything is sent, SchemaError when the
 * tables are missing, and GuardError when a companion in `also` wrote another number of rows than its
 * `expect`; nothing was applied then. The reading verbs also throw UnavailableError.
 */
export interface Outbox {
  /** The same as values, for a batch of your own. */
  readonly statements: OutboxStatements
  /** Creates the tables; does nothing where they are. */
  install(): Promise<void>
  /** Writes messages. One row for each dedup key, however often it is called. */
  enqueue(messages: Message | readonly Message[], options?: EnqueueOptions): Promise<EnqueueOutcome>
  /** Writes the messages that a sub-select derives; see `statements.enqueueFrom`. */
  enqueueFrom(select: Sql, options?: EnqueueOptions): Promise<ChangeOutcome>
  /**
   * Hands out due messages, each to one caller until its `ttl` is over; in the order of `notBefore` and
   * id within a destination, fairly between destinations.
   */
  lease(options: LeaseOptions): Promise<LeaseOutcome>
  /** The destination took it. */
  sent(lease: Lease, options?: CallOptions): Promise<AnswerOutcome>
  /** The attempt failed: once more later, or dead when it was the last. */
  retry(lease: Lease & Pick<StoredMessage, 'attempts'>, options: RetryOptions): Promise<AnswerOutcome>
  /** The destination refuses it for good. */
  dead(lease: Lease, options: DeadOptions): Promise<AnswerOutcome>
  /** Takes back messages that were never leased; the others stay as they are. */
  cancel(chosen: Chosen, options?: CallOptions): Promise<ChangeOutcome>
  /** Dead messages start anew. */
  redrive(chosen: ChosenDead, options?: CallOptions): Promise<ChangeOutcome>
  /** Messages, newest first. */
  list(options?: ListOptions): Promise<Page>
  /** Removes messages that were finished long ago, in small steps; never an unfinished one. */
  sweep(options?: SweepOptions): Promise<SweepOutcome>
  /** Switches a destination off: nothing of it is leased any more. `changed`: it was on. */
  disable(destination: string, options?: CallOptions & { readonly reason?: string }): Promise<SwitchOutcome>
  /** Switches it on again: what has waited is due. `changed`: it was off. */
  enable(destination: string, options?: CallOptions): Promise<SwitchOutcome>
  /** The destinations that are switched off. */
  disabled(): Promise<readonly DisabledDestination[]>
}

/** What a verb is made of. */
export interface Parts {
  readonly driver: Driver
  readonly tables: TableNames
  readonly texts: Templates
  readonly statements: OutboxStatements
}
