import { createLiveness } from '../../../src/liveness/index.ts'
import { equal, fail, ok } from '../../../src/testing/assert.ts'
import {
  type Actor,
  type ExploreOptions,
  type ExploreReport,
  explore,
  type Finished,
} from '../../../src/testing/index.ts'
import { checkAgreement, checkAlerts, checkBeats, checkRecords, checkSums, type Deed } from './rules.ts'
import type { Verb } from './verbs.ts'
import { NOW, OPTIONS, type State, stateOf, type World } from './world.ts'

/** One who works: a verb at an instant. */
export interface Part {
  readonly verb: Verb
  readonly now: number
}

/** Runs every order of these actors, with crashes, and holds the rows, the answers and what comes after against the rules. */
export async function together(
  world: World,
  parts: Readonly<Record<string, Part>>,
  options: Pick<ExploreOptions, 'crash' | 'seed' | 'sample'>,
): Promise<ExploreReport> {
  const actors = Object.fromEntries(
    Object.entries(parts).map(([name, { verb, now }]): [string, Actor] => [
      name,
      (driver) => verb.run(driver, { now, run: name }),
    ]),
  )
  return await explore({
    ...options,
    engine: world.engine,
    actors,
    async invariant(finished) {
      const deeds = deedsOf(finished, parts)
      const [before, after] = [world.history[0]!, world.history.at(-1)!]
      checkBeats(deeds, world.history)
      checkSums(deeds, before, after)
      checkRecords(deeds, after)
      for (const state of world.history) checkAgreement(state)
      checkAlerts(after, OPTIONS.announceTo)
      await settles(world, after)
    },
    observe: (finished) => [...seen(finished, parts)],
  })
}

function deedsOf({ outcomes, trace }: Finished, parts: Readonly<Record<string, Part>>): Deed[] {
  return Object.entries(parts).map(([run, part]) => ({
    ...part,
    run,
    outcome: outcomes[run]!,
    crashed: trace.some(({ actor, crash }) => actor === run && crash !== undefined),
  }))
}

/** Final states that have been tried: most orders end in one of a few. */
const tried = new WeakMap<World, Set<string>>()

/** Whatever happened, and whoever died: after one more check all agrees, and every beat brings its subject back. */
async function settles(world: World, last: State): Promise<void> {
  const known = tried.get(world) ?? new Set()
  tried.set(world, known)
  const text = JSON.stringify([[...last.subjects.values()], last.downtimes, [...last.alerts.values()]])
  if (known.has(text)) return
  known.add(text)
  const liveness = createLiveness(world.driver, OPTIONS)
  const settled = await liveness.check({ now: NOW + 2, run: 'settling' })
  ok(settled.ok, 'the settling check')
  const state = await stateOf(world.driver)
  checkAgreement(state)
  checkAlerts(state, OPTIONS.announceTo)
  for (const { id } of (await liveness.status()).subjects) {
    const beat = await liveness.beat(id, { now: NOW + 3 })
    if (!beat.ok) fail(`${id} cannot beat`)
    ok(beat.state === 'up' || beat.state === 'paused', `${id} is ${beat.state} after a beat`)
  }
  const end = await stateOf(world.driver)
  checkAgreement(end)
  checkAlerts(end, OPTIONS.announceTo)
  equal(end.downtimes.filter((row) => row.ended_at === null).length, 0, 'open rows after all have beaten')
}

/** What must have come up somewhere, or the whole proves nothing. */
function* seen({ trace, outcomes }: Finished, parts: Readonly<Record<string, Part>>): Generator<string> {
  for (const name of Object.keys(parts)) {
    const steps = trace.filter(({ actor }) => actor === name)
    const outcome = outcomes[name]!
    if (outcome.state === 'killed' && steps.length > 1) yield 'killed between two statements'
    else if (steps.some(({ crash }) => crash?.fate === 'lost')) yield 'went on after a lost answer'
    if (outcome.state !== 'returned') continue
    const told = outcome.value as Readonly<Record<string, unknown>>
    if (Number(told.raced) > 0) yield 'raced'
    if (Number(told.newlyDown) > 0 && told.opened === 0 && told.raced === 0) yield 'came too late'
    if (told.reason === 'missing') yield 'removed meanwhile'
    if (told.reason === 'unknown') yield 'unknown'
    if (Number(told.repaired) > 0) yield 'repaired'
    if (typeof told.closed === 'object' && told.closed !== null) yield 'came back'
  }
}
