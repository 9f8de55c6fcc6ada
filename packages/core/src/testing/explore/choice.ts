import type { Crash } from './types.ts'

/** What can be done next: let an actor's next step through, or crash it there. */
export interface Choice {
  readonly actor: string
  readonly crash?: Crash
}

/** Picks one of the choices at a point; called once for each step of an order. */
export type Chooser = (choices: readonly Choice[]) => Choice

/** An actor that waits at its gate, and how many steps it has made. */
interface Ready {
  readonly name: string
  readonly steps: number
}

/**
 * Every choice at a point. To be killed before a step is to be killed after the one in front of it,
 * so that stands only at an actor's first step.
 */
export function choicesOf(ready: readonly Ready[], crashes: readonly Crash[]): Choice[] {
  const choices: Choice[] = ready.map(({ name }) => ({ actor: name }))
  for (const { name, steps } of ready) {
    for (const crash of crashes) {
      if (crash.at === 'before' && crash.fate === 'killed' && steps > 0) continue
      choices.push({ actor: name, crash })
    }
  }
  return choices
}
