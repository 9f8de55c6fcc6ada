import type { Dialect } from './dialect.ts'

/**
 * The port through which every module talks to a database.
 *
 * The promise: `execute` runs one statement that commits by itself, and answers with the rows that
 * came back. `batch` runs several in order, together or not at all where `atomicBatch` is true,
 * and proves each one's `expect` before it commits. Nothing else is promised, so nothing else is
 * needed: any database that can do these two can carry Rowlock.
 */
export interface Driver {
  /** Facts and SQL fragments of the engine, as data. */
  readonly dialect: Dialect
  /** Whether `batch` is all or nothing. Declared by who builds the driver, never probed. */
  readonly atomicBatch: boolean
  /** Runs one statement. Refuses a statement that carries `expect`. */
  execute(statement: Statement): Promise<Row[]>
  /**
   * Runs the statements in order; one array of rows for each.
   * @throws GuardError when a statement gave another number of rows than its `expect`; with
   * `atomicBatch` nothing of the batch stays.
   */
  batch(statements: readonly Statement[]): Promise<Row[][]>
  /** Releases what the driver itself opened; a connection that was handed in stays open. */
  close?(): Promise<void>
  /** How calls that arrive together cost less than one by one; read by `grouped` alone. */
  readonly grouping?: Grouping
}

/**
 * What a driver offers to `grouped` where the engine gains by it. Calls of a group stay
 * independent: each has its own answer, and one that fails takes no other with it. A driver that wraps
 * another either wraps this too or leaves it out: calls would go round it otherwise.
 */
export interface Grouping {
  /** False while a call belongs to a transaction of the caller's: it must not wait for others then. */
  ready(): boolean
  /** Runs the calls in order, one answer for each. An answer is given only after its commit. */
  run(calls: readonly Call[]): Promise<Answer[]>
}

/** One `execute` (a statement) or one `batch` (an array). */
export type Call = Statement | readonly Statement[]

/** What a call gave: one array of rows for each of its statements. */
export type Answer = PromiseSettledResult<Row[][]>

/** One SQL statement as a value. The name is its handle for logs, metrics and tests. */
export interface Statement {
  /** `module.verb`, such as `claims.acquire`. */
  readonly name: string
  /** SQL text in the placeholders of the driver's dialect. */
  readonly text: string
  readonly values: readonly Value[]
  /**
   * How many rows the statement must give back, checked inside a batch: an exact number, or 'some'
   * for at least one. Stands only on statements that end in RETURNING, or on a SELECT. Writes through
   * views are not supported: engines count their rows differently.
   */
  readonly expect?: Expectation
}

export type Expectation = number | 'some'

/** What can be bound. Whole numbers are bound as integers; JSON travels as text. */
export type Value = string | number | bigint | boolean | null | Uint8Array

/** One row as it came back, by column name. */
export type Row = Readonly<Record<string, unknown>>

/** Whether `rows` is a number of rows that `expect` allows. */
export function meets(expect: Expectation, rows: number): boolean {
  return expect === 'some' ? rows > 0 : rows === expect
}
