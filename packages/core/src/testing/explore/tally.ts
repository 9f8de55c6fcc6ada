import type { Choice } from './choice.ts'
import { judge } from './judge.ts'
import { crashLabel, describeViolation } from './label.ts'
import type { ExploreReport, Finished, Rules, Violation } from './types.ts'

/** Thrown by `explore` and `overlap`: the message shows every step, and how to run this order again. */
export class ExplorationError extends Error {
  override readonly name = 'ExplorationError'
  /** Absent when there is no violation, and yet the exploration proves nothing. */
  readonly violation: Violation | undefined

  constructor(message: string, violation?: Violation) {
    super(message, { cause: violation?.error })
    this.violation = violation
  }
}

/** Judges each order and keeps count. */
export interface Tally {
  /** @throws ExplorationError at a violation, unless violations are counted only. */
  add(run: Finished & { readonly chosen: readonly Choice[] }): Promise<void>
  /** @throws ExplorationError when as many orders have been run as may be. */
  refuseMore(): void
  /** @throws ExplorationError when a label that must be seen was not. */
  refuseUnseen(): void
  report(): ExploreReport
}

/** `seed` is printed with a failure where something was drawn. */
export function createTally(rules: Rules, seed?: number): Tally {
  const { mustSee = [], countViolations = false, atMost = 1_000_000 } = rules
  const observed: Record<string, number> = {}
  let firstViolation: Violation | undefined
  let schedules = 0
  let crashes = 0
  let violations = 0

  const see = (label: string) => {
    observed[label] = (observed[label] ?? 0) + 1
  }

  return {
    async add(run) {
      schedules++
      const met = run.trace.find((step) => step.crash)?.crash
      if (met !== undefined) {
        crashes++
        see(crashLabel(met))
      }
      const violation = await judge(rules, run)
      if (violation === undefined) {
        for (const label of rules.observe?.(run) ?? []) see(label)
        return
      }
      violations++
      firstViolation ??= violation
      if (countViolations) return
      throw new ExplorationError(`order ${schedules}: ${describeViolation(violation, seed)}`, violation)
    },
    refuseMore() {
      if (schedules < atMost) return
      throw new ExplorationError(`there are more than ${atMost} orders; take fewer steps or raise atMost`)
    },
    refuseUnseen() {
      const unseen = mustSee.filter((label) => observed[label] === undefined)
      if (unseen.length > 0) throw vacuous(`none of ${schedules} orders showed: ${unseen.join(', ')}`)
    },
    report: () => ({
      schedules,
      crashes,
      violations,
      observed,
      ...(firstViolation && { firstViolation }),
    }),
  }
}

/** The error for an exploration in which nothing could have gone wrong. */
export function vacuous(why: string): ExplorationError {
  return new ExplorationError(`the exploration proves nothing: ${why}`)
}
