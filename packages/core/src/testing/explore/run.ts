import type { Driver } from '../../port/driver.ts'
import { createGate, type Gate } from './gate.ts'
import type { Actor, ActorOutcome, Crash, TraceStep } from './types.ts'

/** What can be done next: let an actor's next step through, or crash it there. */
export interface Choice {
  readonly actor: string
  readonly crash?: Crash
}

/** One of the choices at a point; called once for each step of an order. */
export type Chooser = (choices: readonly Choice[]) => Choice

export interface RunResult {
  readonly outcomes: Readonly<Record<string, ActorOutcome>>
  readonly trace: readonly TraceStep[]
  readonly chosen: readonly Choice[]
}

interface Running {
  readonly name: string
  readonly gate: Gate
  outcome?: ActorOutcome
  steps: number
}

/** How long an actor may neither ask the database nor end before the run is given up. */
const STUCK_AFTER_MS = 10_000

/**
 * Runs the actors to their end. At most one of them is awake at any time, so the order of steps is
 * the one that was chosen, whatever else the actors wait for in between.
 */
export async function runOnce(
  driver: Driver,
  actors: Readonly<Record<string, Actor>>,
  crashes: readonly Crash[],
  choose: Chooser,
): Promise<RunResult> {
  let wake = () => {}
  const running: Running[] = []
  const trace: TraceStep[] = []
  const chosen: Choice[] = []

  const settled = (one: Running) =>
    one.outcome !== undefined || one.gate.waiting()
      ? undefined
      : new Promise<void>((resolve, reject) => {
          const timer = setTimeout(() => reject(stuck(one)), STUCK_AFTER_MS)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })

  for (const [name, actor] of Object.entries(actors)) {
    const gate = createGate(driver, () => wake())
    const one: Running = { name, gate, steps: 0 }
    running.push(one)
    const end = (outcome: ActorOutcome) => {
      one.outcome ??= outcome
      wake()
    }
    actor(gate.driver).then(
      (value) => end({ state: 'returned', value }),
      (error) => end({ state: 'threw', error }),
    )
    await settled(one)
  }

  let crashed = false
  for (;;) {
    const ready = running.filter((one) => one.gate.waiting() && one.outcome?.state !== 'killed')
    if (ready.length === 0) break
    const choice = choose(choicesOf(ready, crashed ? [] : crashes))
    const one = running.find(({ name }) => name === choice.actor)!
    const { statements, results, error } = await one.gate.step(choice.crash)
    one.steps++
    crashed ||= choice.crash !== undefined
    chosen.push(choice)
    trace.push({
      actor: one.name,
      statements: statements.map(({ name }) => name),
      ...(results && { rows: results.map((rows) => rows.length) }),
      ...(error !== undefined && { error }),
      ...(choice.crash && { crash: choice.crash }),
    })
    if (choice.crash?.then === 'killed') one.outcome = { state: 'killed' }
    else await settled(one)
  }
  return {
    outcomes: Object.fromEntries(running.map(({ name, outcome }) => [name, outcome!])),
    trace,
    chosen,
  }
}

/**
 * To be killed before a step is to be killed after the one in front of it, so that choice stands
 * only at an actor's first step.
 */
function choicesOf(ready: readonly Running[], crashes: readonly Crash[]): Choice[] {
  const choices: Choice[] = ready.map(({ name }) => ({ actor: name }))
  for (const { name, steps } of ready) {
    for (const crash of crashes) {
      if (crash.at === 'before' && crash.then === 'killed' && steps > 0) continue
      choices.push({ actor: name, crash })
    }
  }
  return choices
}

function stuck({ name }: Running): Error {
  return new Error(
    `${name} has neither ended nor asked the database for ${STUCK_AFTER_MS} ms: an actor may wait for nothing but its own driver`,
  )
}
