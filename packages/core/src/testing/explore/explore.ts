import { memory } from '../memory.ts'
import { createBench } from './bench.ts'
import type { Chooser } from './choice.ts'
import { drawn, following, replaying } from './choosers.ts'
import { createOdometer, drawnOrders } from './odometer.ts'
import { seededRandom } from './random.ts'
import { type RunResult, runOnce } from './run.ts'
import { createTally, vacuous } from './tally.ts'
import type { Crash, ExploreOptions, ExploreReport } from './types.ts'
import { createWatch } from './watch.ts'

const EVERY_CRASH: readonly Crash[] = [
  { at: 'before', fate: 'killed' },
  { at: 'after', fate: 'killed' },
  { at: 'before', fate: 'lost' },
  { at: 'after', fate: 'lost' },
]

/**
 * Runs every order in which the statements of these actors can reach the database, each on fresh
 * data, and checks the invariant after each. On SQLite and D1, where statements and batches are
 * serial, nothing else can happen to these actors; on PostgreSQL see `overlap`.
 * @throws ExplorationError at the first order that breaks the invariant, or in which an actor throws
 * (other than for a lost answer), with a trace and a list to replay it; and when a label of `mustSee`
 * never came up, no crash happened, or never two actors were at work at once.
 */
export async function explore(options: ExploreOptions): Promise<ExploreReport> {
  const { actors, crash = 'none', seed = 1, replay, sample } = options
  const bench = createBench(options.engine ?? memory(), options.setup)
  const tally = createTally(options, crash === 'drawn' || sample !== undefined ? seed : undefined)
  const random = seededRandom(seed)
  const watch = createWatch()
  let overlapped = false

  const run = async (crashes: readonly Crash[], choose: Chooser): Promise<RunResult> => {
    tally.refuseMore()
    const driver = await bench.fresh()
    const result = await runOnce({ driver, actors, crashes, choose, watch })
    await tally.add({ driver, ...result })
    return result
  }

  try {
    if (replay !== undefined) {
      await run(EVERY_CRASH, replaying(replay))
      return tally.report()
    }
    const orders = sample === undefined ? createOdometer() : drawnOrders(random, sample)
    do {
      const choose: Chooser = (choices) => {
        overlapped ||= choices.some(({ actor }) => actor !== choices[0]!.actor)
        return choices[orders.pick(choices.length)]!
      }
      const { chosen } = await run(crash === 'every' ? EVERY_CRASH : [], choose)
      if (crash === 'drawn' && chosen.length > 0) {
        await run(EVERY_CRASH, drawn(random, following(chosen), chosen.length))
      }
    } while (orders.next())
    tally.refuseUnseen()
    const report = tally.report()
    if (crash !== 'none' && report.crashes === 0) throw vacuous('no actor ever crashed')
    if (!overlapped) throw vacuous('never were two actors at work at once')
    return report
  } finally {
    watch.close()
    await bench.close()
  }
}
