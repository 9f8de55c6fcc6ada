import { type Actor, type ExploreReport, explore, type Finished } from '../../src/testing/index.ts'
import { checkAnswer } from './answer-rules.ts'
import { checkClaims, live } from './claims-rules.ts'
import { checkOutbox } from './outbox-rules.ts'
import { recoversFromLast } from './recovers.ts'
import { type Part, transitionsOf } from './transitions.ts'
import type { World } from './world.ts'

/**
 * Runs every order of these actors with a crash in every place (or one drawn place), and holds each
 * step, each answer and what can be done afterwards against the rules.
 */
export async function together(
  world: World,
  parts: Readonly<Record<string, Part>>,
  options: { readonly crash: 'every' | 'drawn'; readonly seed?: number },
): Promise<ExploreReport> {
  const longest: Record<string, number> = {}
  return await explore({
    ...options,
    engine: world.engine,
    actors: actorsOf(parts),
    async invariant(finished) {
      const transitions = transitionsOf(finished, world.history, parts)
      const states = [...world.history]
      checkClaims(transitions)
      checkOutbox(transitions)
      for (const [name, part] of Object.entries(parts)) {
        const own = transitions.filter(({ holder }) => holder === part.holder)
        const crashed = finished.trace.some(({ actor, crash }) => actor === name && crash !== undefined)
        checkAnswer({ ...part, own, states, crashed, outcome: finished.outcomes[name]! })
      }
      await recoversFromLast(world)
    },
    observe: (finished) => [...seen(finished, parts, world, longest)],
  })
}

function actorsOf(parts: Readonly<Record<string, Part>>): Record<string, Actor> {
  const entries = Object.entries(parts).map(([name, { verb, ...call }]) => {
    const actor: Actor = (driver) => verb.run(driver, call)
    return [name, actor]
  })
  return Object.fromEntries(entries)
}

/** What must have come up somewhere, or the whole proves nothing. */
function* seen(
  { trace, outcomes }: Finished,
  parts: Readonly<Record<string, Part>>,
  world: World,
  longest: Record<string, number>,
): Generator<string> {
  const first = world.history[0]!.claims.get('k')
  for (const [name, { now }] of Object.entries(parts)) {
    const steps = trace.filter(({ actor }) => actor === name)
    const outcome = outcomes[name]!
    if (outcome.state === 'killed') {
      if (steps.length < (longest[name] ?? 0)) yield 'killed between two statements'
    } else if (steps.some(({ crash }) => crash)) yield 'went on after a lost answer'
    else longest[name] = Math.max(longest[name] ?? 0, steps.length)
    if (outcome.state !== 'returned' || typeof outcome.value !== 'object' || outcome.value === null) continue
    const told = outcome.value as Readonly<Record<string, unknown>>
    if (told.won === false || told.ran === false) yield 'loser'
    if (told.won === true && told.key === 'k' && !live(first, now)) yield 'takeover after expiry'
    if (told.reason === 'lost') yield 'lost its claim or lease'
    if (told.guarded === false) yield 'guard refused'
    if (Array.isArray(told.messages) && told.messages.some((row) => row.dedupKey === 'down'))
      yield 'lease taken over'
  }
}
