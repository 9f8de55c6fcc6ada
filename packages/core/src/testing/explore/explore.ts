import { memory } from '../memory.ts'
import { createBench } from './bench.ts'
import type { Chooser } from './choice.ts'
import { drawn, following, replaying } from './choosers.ts'
import { judge } from './judge.ts'
import { crashLabel, describeViolation } from './label.ts'
import { createOdometer } from './odometer.ts'
import { seededRandom } from './random.ts'
import { type RunResult, runOnce } from './run.ts'
import type { Crash, ExploreOptions, ExploreReport, Violation } from './types.ts'
import { createWatch } from './watch.ts'

/** Thrown by `explore`: the message shows every step, and how to run this order again. */
export class ExplorationError extends Error {
  override readonly name = 'ExplorationError'
  /** Absent when there is no violation, and yet the exploration proves nothing. */
  readonly violation: Violation | undefined

  constructor(message: string, violation?: Violation) {
    super(message, { cause: violation?.error })
    this.violation = violation
  }
}

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
  const { actors, crash = 'none', seed = 1, replay, atMost = 1_000_000 } = options
  const bench = createBench(options.engine ?? memory(), options.setup)
  const tally = createTally(options)
  const random = seededRandom(seed)
  const watch = createWatch()

  const run = async (crashes: readonly Crash[], choose: Chooser): Promise<RunResult> => {
    if (tally.schedules === atMost) {
      throw new ExplorationError(`there are more than ${atMost} orders; take fewer steps or raise atMost`)
    }
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
    const odometer = createOdometer()
    do {
      const choose: Chooser = (choices) => {
        if (choices.length > 1) tally.overlapped = true
        return choices[odometer.pick(choices.length)]!
      }
      const { chosen } = await run(crash === 'every' ? EVERY_CRASH : [], choose)
      if (crash === 'drawn') await run(EVERY_CRASH, drawn(random, following(chosen), chosen.length))
    } while (odometer.next())
    tally.refuseVacuous()
    return tally.report()
  } finally {
    watch.close()
    await bench.close()
  }
}

function createTally(options: ExploreOptions) {
  const { crash = 'none', seed = 1, mustSee = [], countViolations = false } = options
  const observed: Record<string, number> = {}
  let firstViolation: Violation | undefined
  let schedules = 0
  let crashes = 0
  let violations = 0

  const see = (label: string) => {
    observed[label] = (observed[label] ?? 0) + 1
  }

  return {
    overlapped: false,
    get schedules() {
      return schedules
    },
    async add(run: Parameters<typeof judge>[1]) {
      schedules++
      const met = run.trace.find((step) => step.crash)?.crash
      if (met !== undefined) {
        crashes++
        see(crashLabel(met))
      }
      const violation = await judge(options, run)
      if (violation === undefined) {
        for (const label of options.observe?.(run) ?? []) see(label)
        return
      }
      violations++
      firstViolation ??= violation
      if (countViolations) return
      const text = describeViolation(violation, crash === 'drawn' ? seed : undefined)
      throw new ExplorationError(`order ${schedules}: ${text}`, violation)
    },
    refuseVacuous() {
      const unseen = mustSee.filter((label) => observed[label] === undefined)
      if (unseen.length > 0) throw vacuous(`none of ${schedules} orders showed: ${unseen.join(', ')}`)
      if (crash !== 'none' && crashes === 0) throw vacuous('no actor ever crashed')
      if (!this.overlapped) throw vacuous('never were two actors at work at once')
    },
    report: (): ExploreReport => ({
      schedules,
      crashes,
      violations,
      observed,
      ...(firstViolation && { firstViolation }),
    }),
  }
}

function vacuous(why: string): ExplorationError {
  return new ExplorationError(`the exploration proves nothing: ${why}`)
}
