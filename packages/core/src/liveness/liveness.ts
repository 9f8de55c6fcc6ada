import type { Driver } from '../port/driver.ts'
import type { TableNames } from '../port/schema.ts'
import type { Settings } from './input/settings.ts'
import type { LivenessStatements } from './statements/calls.ts'
import type { Lists } from './statements/lists.ts'
import type {
  Beat,
  BeatManyOutcome,
  BeatOptions,
  BeatOutcome,
  CallOptions,
  ChangeOutcome,
  CheckOptions,
  CheckOutcome,
  DowntimePage,
  DowntimesOptions,
  Expectations,
  FailOptions,
  FailOutcome,
  RegisterManyOutcome,
  RegisterOptions,
  RegisterOutcome,
  StatusOptions,
  SubjectPage,
  SweepOptions,
  SweepOutcome,
  Uptime,
  UptimeOptions,
} from './types.ts'

/**
 * Who is alive, and what outages there were. Every verb throws InvalidInputError before anything is sent, SchemaError when
 * the tables are missing, and GuardError when a companion in `also` wrote another number of rows than its `expect`; nothing
 * was applied then. The reading verbs also throw UnavailableError.
 */
export interface Liveness {
  /** The same as values, for a batch of your own. */
  readonly statements: LivenessStatements
  /** Creates the tables, and those of the outbox; does nothing where they are. */
  install(): Promise<void>
  /** Makes a subject, or changes what is said of it. What is left out stays. */
  register(id: string, options?: RegisterOptions): Promise<RegisterOutcome>
  /** The same for many. */
  registerMany(
    subjects: readonly ({ readonly id: string } & Expectations)[],
    options?: CallOptions,
  ): Promise<RegisterManyOutcome>
  /** A sign of life. It ends the subject's outage. */
  beat(id: string, options?: BeatOptions): Promise<BeatOutcome>
  /** Signs of life of many subjects; one id twice counts twice, and is judged by the newer one. */
  beatMany(beats: readonly Beat[], options?: CallOptions): Promise<BeatManyOutcome>
  /** A sign of life that says it is not well: its outage begins at once. While it is down it is counted, and no more. */
  fail(id: string, options?: FailOptions): Promise<FailOutcome>
  /** Nothing is expected of it any more; its outage ends. Beats are still counted. */
  pause(id: string, options?: CallOptions): Promise<ChangeOutcome>
  /** Beats are expected again, from now on. */
  resume(id: string, options?: CallOptions): Promise<ChangeOutcome>
  /** It is gone; its outages stay in the history. Registered again it begins anew. */
  remove(id: string, options?: CallOptions): Promise<ChangeOutcome>
  /** Finds who fell silent and who came back. Any number of checks may run at once. */
  check(options?: CheckOptions): Promise<CheckOutcome>
  /** Subjects, in the order of their ids. */
  status(options?: StatusOptions): Promise<SubjectPage>
  /** Outages, newest first. */
  downtimes(options?: DowntimesOptions): Promise<DowntimePage>
  /** How a span of time was spent; null where there is no such subject. */
  uptime(id: string, options: UptimeOptions): Promise<Uptime | null>
  /** Removes what is long past, in small steps; never an open outage or a subject that is watched. */
  sweep(options?: SweepOptions): Promise<SweepOutcome>
}

/** What a verb is made of. */
export interface Parts {
  readonly driver: Driver
  readonly tables: TableNames
  readonly settings: Settings
  readonly lists: Lists
  readonly statements: LivenessStatements
}
