import type { Choice, Chooser } from './choice.ts'
import { labelOf } from './label.ts'

/** Takes the choices that a failure printed, and then whatever comes first. */
export function replaying(replay: readonly string[]): Chooser {
  let at = 0
  return (choices) => {
    const wanted = replay[at++]
    if (wanted === undefined) return choices[0]!
    const found = choices.find((choice) => labelOf(choice) === wanted)
    if (found !== undefined) return found
    throw new Error(`step ${at} cannot be "${wanted}" here; it can be: ${choices.map(labelOf).join(', ')}`)
  }
}

/** Keeps to the order of an earlier run as far as the actors are still there. */
export function following(chosen: readonly Choice[]): Chooser {
  const order = chosen.map(({ actor }) => actor)
  return (choices) => {
    while (order.length > 0) {
      const actor = order.shift()
      const found = choices.find((choice) => choice.actor === actor && choice.crash === undefined)
      if (found !== undefined) return found
    }
    return choices[0]!
  }
}

/** The same with one crash, at a drawn step out of `steps` and of a drawn kind. */
export function drawn(random: () => number, choose: Chooser, steps: number): Chooser {
  let left = Math.floor(random() * steps)
  return (choices) => {
    const choice = choose(choices)
    if (left-- !== 0) return choice
    const crashes = choices.filter(({ actor, crash }) => actor === choice.actor && crash !== undefined)
    return crashes[Math.floor(random() * crashes.length)]!
  }
}
