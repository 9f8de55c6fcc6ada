import { InvalidInputError } from '@rowlock/core'
import { describe } from '@rowlock/core/module'
import { Cron } from 'croner'

/** When a job is expected, as cron writes it, by the clock of a place. */
export interface Schedule {
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string
  /** An IANA name such as Europe/Berlin. */
  readonly timezone: string
}

const LONGEST = 100
const ACCEPTED_CRON = 'five fields such as "30 2 * * *", or a name such as "@daily"'
const ACCEPTED_ZONE = 'a time zone such as "Europe/Berlin", or "UTC"'
/** A schedule is compiled once for a process, not once for each beat. */
const MOST_COMPILED = 1_000

const compiled = new Map<string, Cron>()

/**
 * A schedule that has a next time.
 * @throws InvalidInputError naming `schedule` or `timezone`.
 */
export function readSchedule(cron: unknown, timezone: unknown = 'UTC'): Schedule {
  if (typeof cron !== 'string' || cron.trim() === '' || cron.length > LONGEST) {
    throw new InvalidInputError('schedule', `is ${describe(cron)}`, ACCEPTED_CRON)
  }
  const schedule = { cron: cron.trim().replace(/\s+/g, ' '), timezone: readTimezone(timezone) }
  if (nextTime(schedule, Date.UTC(2026, 0, 1)) === undefined) {
    throw new InvalidInputError('schedule', 'has no next time', 'a schedule that comes true')
  }
  return schedule
}

/** @throws InvalidInputError for what no runtime knows as a time zone. */
export function readTimezone(given: unknown, field = 'timezone'): string {
  try {
    if (typeof given !== 'string' || given.length > 64) throw new RangeError()
    return new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone
  } catch {
    throw new InvalidInputError(field, `is ${describe(given)}`, ACCEPTED_ZONE)
  }
}

/**
 * The first time after `after`, both in ms since 1970. Where clocks are set forward, a fixed time that is left
 * out comes at the first moment after the gap; where they are set back, a fixed time comes once.
 * Undefined where it never comes.
 */
export function nextTime(schedule: Schedule, after: number): number | undefined {
  return compile(schedule).nextRun(new Date(after))?.getTime()
}

function compile({ cron, timezone }: Schedule): Cron {
  const name = `${timezone} ${cron}`
  const known = compiled.get(name)
  if (known !== undefined) return known
  if (compiled.size >= MOST_COMPILED) compiled.clear()
  try {
    // As cron daemons do it: a list or range of hours is a fixed time too.
    const made = new Cron(cron, { timezone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true })
    compiled.set(name, made)
    return made
  } catch (error) {
    const reason = (error as Error).message.replace(/^CronPattern: /, '').slice(0, 200)
    throw new InvalidInputError('schedule', `is ${describe(cron)} (${reason})`, ACCEPTED_CRON)
  }
}
