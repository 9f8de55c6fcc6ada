import type { Driver } from '../port/driver.ts'

/** A kind of database that the proof kit can open afresh as often as it likes. */
export interface Engine {
  /** Shown in test names, such as `node:sqlite, file`. */
  readonly name: string
  /** What this engine cannot show, each with the reason: cases that need it are skipped and say so. */
  readonly lacks?: Readonly<Partial<Record<Need, string>>>
  /** Opens a database that holds nothing yet and that nobody else uses. */
  open(): Promise<OpenEngine>
}

/**
 * What a case may need beyond one driver: `peer`, a second connection to the same data; `atomic`, a
 * batch that is all or nothing; `crash`, to be cut off in the middle.
 */
export type Need = 'peer' | 'atomic' | 'crash'

export interface OpenEngine {
  readonly driver: Driver
  /** One more connection to the same data. The engine closes it in `dispose`. */
  peer?(): Promise<Driver>
  /** Ends the connection of `driver` as a killed process would, in the middle of whatever it does. */
  crash?(): Promise<void>
  /**
   * Remembers the data as they are now; the answer brings them back, many times faster than opening
   * anew. It gives false when it cannot, and then the database has to be opened anew.
   */
  snapshot?(): () => boolean
  /** Closes every connection and removes the data. */
  dispose(): Promise<void>
}
