import { type Driver, GuardError } from '@rowlock/core'
import type { Summary } from '@rowlock/core/liveness'
import { integer, text } from '@rowlock/core/module'
import type { Ground } from '../ground.ts'
import type { Metrics } from '../metrics.ts'
import { watchedProjects } from './queries.ts'
import { pingStatements } from './statements/pings.ts'
import type { ProjectCheck } from './types.ts'
import type { Watch } from './watch.ts'

/** Finds what fell silent. Any number of nodes may do it at once: each outage is one row and one alert all the same. */
export interface Checker {
  /** One check of one project, or of all that have devices. @throws UnavailableError */
  check(project?: number | null): Promise<readonly ProjectCheck[]>
  /** One check of all, then reminders. Errors are reported, not thrown; while one is under way it does nothing. */
  tick(): Promise<void>
  /** When the last check of this process ended well, ms; undefined before the first. */
  readonly lastTickAt: number | undefined
  /** What the last tick failed with; undefined where it did not. */
  readonly failure: unknown
}

export interface CheckerOptions {
  readonly driver: Driver
  readonly watch: Watch
  readonly metrics: Metrics
  /** Reminds of outages that last. How many reminders were written. */
  remind(): Promise<unknown>
  /** There is something to deliver. */
  onWork(): void
  onProblem(problem: string, cause?: unknown): void
}

/** Overdue runs that one check ends; those that are left wait for the next. */
const MOST_OVERDUE = 500

export function createChecker({ reader, clock, now }: Ground, options: CheckerOptions): Checker {
  const { driver, watch, metrics, remind, onWork, onProblem } = options
  const statements = pingStatements(driver.dialect)
  let underWay = false
  let lastTickAt: number | undefined
  let failure: unknown

  /** One run that did not end in time. False where its end came between. */
  const giveUp = async (project: number, device: string, startedAt: number, graceMs: number) => {
    const values = { project, device, startedAt }
    try {
      const reason = `it started, and did not end within ${lengthText(graceMs)}`
      const also = [statements.giveUp.with(values, 1)]
      const failed = await watch.of(project).fail(device, { reason, also })
      if (!failed.ok && failed.reason === 'unknown') throw failed.cause
      return failed.ok
    } catch (error) {
      if (error instanceof GuardError) return false
      throw error
    }
  }

  /** How many runs of each project were found overdue. */
  const endOverdueRuns = async (): Promise<ReadonlyMap<number, number>> => {
    const counts = new Map<number, number>()
    const rows = await driver.execute(statements.overdue.with({ now: now(), limit: MOST_OVERDUE }))
    for (const row of rows) {
      const project = integer(row, 'project')
      const ended = await giveUp(
        project,
        text(row, 'id'),
        integer(row, 'started_at'),
        integer(row, 'grace_ms'),
      )
      if (ended) counts.set(project, (counts.get(project) ?? 0) + 1)
    }
    return counts
  }

  const check = async (project: number | null = null): Promise<readonly ProjectCheck[]> => {
    const overdue = await endOverdueRuns()
    const projects = project === null ? (await watchedProjects(reader)).map(({ id }) => id) : [project]
    const checks: ProjectCheck[] = []
    const errors: unknown[] = []
    // What is wrong with one project keeps no other from being checked.
    for (const one of projects) {
      try {
        checks.push({ project: one, ...(await checkOne(watch, one)), overdueRuns: overdue.get(one) ?? 0 })
      } catch (error) {
        errors.push(error)
      }
    }
    tally(metrics, checks)
    if (overdue.size > 0 || checks.some(({ opened, closed, repaired }) => opened + closed + repaired > 0))
      onWork()
    if (errors.length > 0) throw errors[0]
    return checks
  }

  return {
    check,
    async tick() {
      if (underWay) return
      underWay = true
      try {
        await check()
        await remind()
        lastTickAt = clock()
        failure = undefined
      } catch (error) {
        failure = error
        onProblem('checking the devices failed', error)
      } finally {
        underWay = false
      }
    },
    get lastTickAt() {
      return lastTickAt
    },
    get failure() {
      return failure
    },
  }
}

async function checkOne(watch: Watch, project: number): Promise<Summary> {
  const outcome = await watch.of(project).check()
  if (!outcome.ok) throw outcome.cause
  const { ok: _, ...summary } = outcome
  return summary
}

function tally(metrics: Metrics, checks: readonly ProjectCheck[]): void {
  const sum = (pick: (check: ProjectCheck) => number) => checks.reduce((total, one) => total + pick(one), 0)
  metrics.add('checks_total', checks.length)
  metrics.add(
    'check_opened_total',
    sum(({ opened }) => opened),
  )
  metrics.add(
    'check_closed_total',
    sum(({ closed }) => closed),
  )
  metrics.add(
    'check_alerts_total',
    sum(({ alertsQueued }) => alertsQueued),
  )
  metrics.add(
    'check_raced_total',
    sum(({ raced }) => raced),
  )
  metrics.add(
    'check_repaired_total',
    sum(({ repaired }) => repaired),
  )
  metrics.add(
    'overdue_runs_total',
    sum(({ overdueRuns }) => overdueRuns),
  )
}

/** A length of time in its largest whole unit. */
export function lengthText(ms: number): string {
  const units: readonly (readonly [string, number])[] = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1_000],
  ]
  const [unit, length] = units.find(([, length]) => ms % length === 0) ?? ['ms', 1]
  return `${ms / length} ${unit}`
}
