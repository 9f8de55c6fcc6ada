import { postgres } from '../../drivers/postgres.ts'
import type { Driver, Statement } from '../../port/driver.ts'
import type { Chooser } from '../explore/choice.ts'
import type { RunResult } from '../explore/run.ts'
import type { Actor, ActorOutcome, TraceStep } from '../explore/types.ts'
import { changed } from '../mutate/through.ts'
import { allBlocked } from './blocked.ts'
import { gatedPool } from './pool.ts'
import type { OverlapClient, OverlapResult } from './types.ts'

/** A connection that belongs to one actor. */
export interface Seat {
  readonly client: OverlapClient
  readonly backend: number
}

interface Running {
  readonly name: string
  readonly backend: number
  outcome: ActorOutcome | undefined
  /** What waits for its turn. */
  next: { readonly text: string; run(): Promise<void> } | undefined
  /** The step that the server has been given and not answered. */
  step: { trace: Changing<TraceStep>; done: boolean } | undefined
}

type Changing<Type> = { -readonly [Name in keyof Type]: Type[Name] }

/** How long a step may take without being done, and without waiting for another's transaction. */
const STUCK_AFTER_MS = 20_000

/** Runs the actors to their end, each in transactions on its own connection, in the order chosen. */
export async function runOverlapping(
  actors: Readonly<Record<string, Actor>>,
  seats: readonly Seat[],
  onlooker: OverlapClient,
  choose: Chooser,
): Promise<RunResult> {
  const trace: TraceStep[] = []
  const chosen: { actor: string }[] = []
  const running = Object.entries(actors).map(([name, actor], index) => start(name, actor, seats[index]!))
  const participants = seats.map(({ backend }) => backend)
  for (;;) {
    await settle(running, participants, onlooker)
    const ready = running.filter(({ next, step }) => next !== undefined && step === undefined)
    if (ready.length === 0) break
    const choice = choose(ready.map(({ name }) => ({ actor: name })))
    const one = ready.find(({ name }) => name === choice.actor)!
    chosen.push(choice)
    trace.push(take(one))
  }
  const outcomes = Object.fromEntries(running.map(({ name, outcome }) => [name, outcome!]))
  return { outcomes, trace, chosen }
}

function start(name: string, actor: Actor, { client, backend }: Seat): Running {
  const one: Running = { name, backend, outcome: undefined, next: undefined, step: undefined }
  const names = new Map<string, string>()
  const ask = (text: string, work: () => Promise<OverlapResult>) =>
    new Promise<OverlapResult>((resolve, reject) => {
      const run = async () => {
        const { step } = one
        try {
          const result = await work()
          step!.trace.rows = [result.rows.length]
          resolve(result)
        } catch (error) {
          step!.trace.error = error
          reject(error)
        }
        step!.done = true
      }
      one.next = { text: names.get(text) ?? text, run }
    })
  const driver = withNames(postgres(gatedPool(client, ask)), names)
  actor(driver).then(
    (value) => {
      one.outcome = { state: 'returned', value }
    },
    (error) => {
      one.outcome = { state: 'threw', error }
    },
  )
  return one
}

/** Remembers which text belongs to which name: the connection is given texts only. */
function withNames(driver: Driver, names: Map<string, string>): Driver {
  const statement = (given: Statement) => {
    names.set(given.text, given.name)
    return given
  }
  return changed(driver, { statement })
}

function take(one: Running): TraceStep {
  const { text, run } = one.next!
  const trace: Changing<TraceStep> = { actor: one.name, statements: [text] }
  one.next = undefined
  one.step = { trace, done: false }
  void run()
  return trace
}

/**
 * Waits until each actor has ended, waits for its turn, or waits for another's transaction. The
 * server is asked again and again; nothing here goes by the clock but giving up.
 */
async function settle(running: readonly Running[], participants: readonly number[], onlooker: OverlapClient) {
  const deadline = performance.now() + STUCK_AFTER_MS
  for (;;) {
    const blocked = running.filter(({ step }) => step !== undefined && !step.done)
    const stable =
      blocked.length === 0 ||
      (await allBlocked(
        onlooker,
        blocked.map(({ backend }) => backend),
        participants,
      ))
    // A turn of the event loop, for actors whose answer has come to go on to their next question.
    await new Promise((resolve) => setImmediate(resolve))
    for (const one of running) {
      if (one.step?.done && (one.next !== undefined || one.outcome !== undefined)) one.step = undefined
    }
    const waiting = running.filter(({ step }) => step !== undefined)
    const awake = running.some(
      ({ step, next, outcome }) => step === undefined && next === undefined && outcome === undefined,
    )
    const unchanged =
      waiting.length === blocked.length && waiting.every(({ step }) => step !== undefined && !step.done)
    const canMove =
      waiting.length === 0 || running.some(({ step, next }) => step === undefined && next !== undefined)
    if (stable && unchanged && !awake && canMove) {
      for (const { step } of waiting) step!.trace.waited = true
      return
    }
    if (performance.now() > deadline) throw stuck(running)
  }
}

function stuck(running: readonly Running[]): Error {
  const names = running.filter(({ outcome, next }) => outcome === undefined && next === undefined)
  return new Error(`no answer within ${STUCK_AFTER_MS} ms: ${names.map(({ name }) => name).join(', ')}`)
}
