import { nextTime } from '../device/schedule.ts'

export type CalendarUnit = 'day' | 'month'

/** A day or month of a place: from its first ms up to, and without, the first ms of the next. */
export interface CalendarSpan {
  /** 2026-03-29 or 2026-03. */
  readonly name: string
  readonly from: number
  readonly to: number
}

const STARTS: Readonly<Record<CalendarUnit, string>> = { day: '0 0 * * *', month: '0 0 1 * *' }
const LONGEST_MS: Readonly<Record<CalendarUnit, number>> = { day: 26 * 3_600_000, month: 32 * 86_400_000 }

/**
 * The last `count` days or months up to and with the one that holds `now`, oldest first. A day on which clocks are
 * changed has 23 or 25 hours; one whose midnight is left out begins at its first moment.
 */
export function lastSpans(
  unit: CalendarUnit,
  { count, now, timezone }: { count: number; now: number; timezone: string },
): readonly CalendarSpan[] {
  const schedule = { cron: STARTS[unit], timezone }
  const starts: number[] = []
  // From before the first wanted start; the first that is found may be too early, never too late.
  let at = now - LONGEST_MS[unit] * (count + 1)
  while (at <= now) {
    at = nextTime(schedule, at) as number
    starts.push(at)
  }
  return starts
    .slice(0, -1)
    .map((from, index) => ({ name: nameOf(unit, from, timezone), from, to: starts[index + 1] as number }))
    .slice(-count)
}

function nameOf(unit: CalendarUnit, at: number, timezone: string): string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: timezone,
    calendar: 'iso8601',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const month = `${parts.get('year')}-${parts.get('month')}`
  return unit === 'day' ? `${month}-${parts.get('day')}` : month
}
