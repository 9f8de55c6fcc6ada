import type { Row } from '../../src/port/driver.ts'
import type { ActorOutcome, Finished } from '../../src/testing/index.ts'
import type { Verb } from './verbs.ts'
import type { State } from './world.ts'

/** One who works: a verb at an instant. */
export interface Part {
  readonly verb: Verb
  readonly now: number
  readonly holder: string
}

/** What one step did to the data. */
export interface Transition extends Part {
  readonly before: State
  readonly after: State
}

/** What one actor did in one order, from its first step to its last. */
export interface Deed extends Part {
  readonly outcome: ActorOutcome
  readonly own: readonly Transition[]
  /** It crashed, or an answer to it was lost. */
  readonly crashed: boolean
  /** Every state from before the first of all steps: what it may have seen. */
  readonly states: readonly State[]
}

/** Every step that reached the database, with the states around it. */
export function transitionsOf(
  { trace }: Finished,
  history: readonly State[],
  parts: Readonly<Record<string, Part>>,
): Transition[] {
  const reached = trace.filter(({ rows, error }) => rows !== undefined || error !== undefined)
  if (reached.length !== history.length - 1)
    throw new Error(`${reached.length} steps, ${history.length} states`)
  return reached.map(({ actor }, index) => ({
    ...parts[actor]!,
    before: history[index]!,
    after: history[index + 1]!,
  }))
}

/** A row before and after a step; one of them may be missing. */
export interface Change {
  readonly key: string
  readonly before: Row | undefined
  readonly after: Row | undefined
}

/** The rows that a step changed. */
export function changes(before: ReadonlyMap<string, Row>, after: ReadonlyMap<string, Row>): Change[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((key) => ({ key, before: before.get(key), after: after.get(key) }))
    .filter((change) => !sameRow(change.before, change.after))
}

function sameRow(left: Row | undefined, right: Row | undefined): boolean {
  if (left === undefined || right === undefined) return left === right
  return Object.keys(left).every((column) => left[column] === right[column])
}
