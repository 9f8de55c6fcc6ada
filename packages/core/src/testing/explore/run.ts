import type { Driver } from '../../port/driver.ts'
import { type Choice, type Chooser, choicesOf } from './choice.ts'
import { createGate, type Gate, type StepResult } from './gate.ts'
import type { Actor, ActorOutcome, Crash, TraceStep } from './types.ts'
import type { Watch } from './watch.ts'

export interface RunOptions {
  readonly driver: Driver
  readonly actors: Readonly<Record<string, Actor>>
  /** Crashes to choose from; one of them happens at most. */
  readonly crashes: readonly Crash[]
  readonly choose: Chooser
  readonly watch: Watch
}

export interface RunResult {
  readonly outcomes: Readonly<Record<string, ActorOutcome>>
  readonly trace: readonly TraceStep[]
  readonly chosen: readonly Choice[]
}

/**
 * Runs the actors to their end. At most one of them is awake at any time, so the order of steps is
 * the one that was chosen, whatever else the actors wait for in between.
 */
export async function runOnce({ driver, actors, crashes, choose, watch }: RunOptions): Promise<RunResult> {
  const running: Running[] = []
  const trace: TraceStep[] = []
  const chosen: Choice[] = []
  for (const [name, actor] of Object.entries(actors)) {
    const one = start(name, actor, driver, watch)
    running.push(one)
    await asleep(one, watch)
  }
  let crashed = false
  for (;;) {
    const ready = running.filter(({ gate, outcome }) => gate.waiting() && outcome?.state !== 'killed')
    if (ready.length === 0) break
    const choice = choose(choicesOf(ready, crashed ? [] : crashes))
    const one = ready.find(({ name }) => name === choice.actor)!
    const result = await one.gate.step(choice.crash)
    one.steps++
    crashed ||= choice.crash !== undefined
    chosen.push(choice)
    trace.push(traceStep(choice, result))
    if (choice.crash?.fate === 'killed') one.outcome = { state: 'killed' }
    else await asleep(one, watch)
  }
  const outcomes = Object.fromEntries(running.map(({ name, outcome }) => [name, outcome!]))
  return { outcomes, trace, chosen }
}

interface Running {
  readonly name: string
  readonly gate: Gate
  outcome: ActorOutcome | undefined
  steps: number
}

function start(name: string, actor: Actor, driver: Driver, watch: Watch): Running {
  const one: Running = { name, gate: createGate(driver, watch.wake), outcome: undefined, steps: 0 }
  const end = (outcome: ActorOutcome) => {
    one.outcome ??= outcome
    watch.wake()
  }
  actor(one.gate.driver).then(
    (value) => end({ state: 'returned', value }),
    (error) => end({ state: 'threw', error }),
  )
  return one
}

/** Resolves when the actor has ended or waits at its gate. */
function asleep({ name, gate, outcome }: Running, watch: Watch): Promise<void> | undefined {
  return outcome !== undefined || gate.waiting() ? undefined : watch.until(name)
}

function traceStep({ actor, crash }: Choice, { statements, results, error }: StepResult): TraceStep {
  return {
    actor,
    statements: statements.map(({ name }) => name),
    ...(results && { rows: results.map((rows) => rows.length) }),
    ...(error !== undefined && { error }),
    ...(crash && { crash }),
  }
}
