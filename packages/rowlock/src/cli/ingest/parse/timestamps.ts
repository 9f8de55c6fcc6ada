import type { Level } from '../../../events/types.ts'
import { levelOfWord } from './levels.ts'

/** What a line's time needs that does not stand in the line. */
export interface Calendar {
  /** The clock, ms: for times without a year or a day. */
  readonly now: number
  /** Take times without a zone as UTC; otherwise they are this machine's local time. */
  readonly utc: boolean
}

export interface Timestamp {
  /** ms since 1970. */
  readonly at: number
  /** How many characters of the line it takes. */
  readonly length: number
  /** klog writes the level's letter in front of the date. */
  readonly level?: Level
}

const DAY_MS = 86_400_000
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec'

type Found = RegExpExecArray
interface Shape {
  /** Anchored at the line's start, without nested repetition. */
  readonly pattern: RegExp
  read(found: Found, calendar: Calendar): number
}

/** The time a line begins with. */
export function takeTimestamp(line: string, calendar: Calendar): Timestamp | undefined {
  for (const shape of shapes) {
    const found = match(shape, line, calendar)
    if (found !== undefined) return found
  }
  return undefined
}

function match(shape: Shape, line: string, calendar: Calendar): Timestamp | undefined {
  const found = shape.pattern.exec(line)
  if (found === null) return undefined
  const at = shape.read(found, calendar)
  if (!Number.isFinite(at)) return undefined
  const level = found.groups?.level === undefined ? undefined : levelOfWord(found.groups.level)
  const length = found[0].length
  return level === undefined ? { at, length } : { at, length, level }
}

const ZONE = String.raw`(?: ?(?<zone>Z|UTC|GMT|[+-]\d\d:?\d\d))?`
const CLOCK = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:[.,:](?<fraction>\d{1,9}))?`
const MONTH = '(?<name>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'

const shapes: readonly Shape[] = [
  // 2015-10-18 18:01:47,978 · 2015-10-18T18:01:47.978Z · [2015/10/18 18:01:47 +0900]
  {
    pattern: new RegExp(
      String.raw`^\[?(?<year>\d{4})[-/](?<month>\d\d)[-/](?<day>\d\d)[T _]${CLOCK}${ZONE}\]?,?`,
    ),
    read: instant,
  },
  // Jun 14 15:16:01 · Jun 14 2026 15:16:01
  {
    pattern: new RegExp(String.raw`^${MONTH} {1,2}(?<day>\d{1,2}) (?:(?<year>\d{4}) )?${CLOCK}`),
    read: nearest,
  },
  // [Sun Dec 04 04:47:44.123456 2005]
  {
    pattern: new RegExp(
      String.raw`^\[?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} {1,2}(?<day>\d{1,2}) ${CLOCK} (?<year>\d{4})\]?`,
    ),
    read: instant,
  },
  // 081109 203615 · 081109 20:36:15
  {
    pattern:
      /^(?<short>\d\d)(?<month>\d\d)(?<day>\d\d) {1,2}(?<hour>\d\d):?(?<minute>\d\d):?(?<second>\d\d)(?!\S)/,
    read: instant,
  },
  // E0102 15:04:05.678901
  {
    pattern: new RegExp(String.raw`^(?<level>[IWEF])(?<month>\d\d)(?<day>\d\d) ${CLOCK}`),
    read: nearest,
  },
  // 17/06/09 20:10:40
  {
    pattern: new RegExp(String.raw`^(?<short>\d\d)/(?<month>\d\d)/(?<day>\d\d) ${CLOCK}`),
    read: instant,
  },
  // 03-17 16:13:38.811
  { pattern: new RegExp(String.raw`^(?<month>\d\d)-(?<day>\d\d) ${CLOCK}`), read: nearest },
  // 16:13:38.811, as a logger writes it that leaves the day to the file's name
  {
    pattern: /^\[?(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)[.,](?<fraction>\d{3,9})\]?(?= )/,
    read: today,
  },
]

function instant({ groups = {} }: Found, calendar: Calendar): number {
  const year = groups.year === undefined ? 2000 + Number(groups.short) : Number(groups.year)
  return compose(year, groups, calendar)
}

/** Without a year: this year, or the last one when it would lie in the future. */
function nearest(found: Found, calendar: Calendar): number {
  if (found.groups?.year !== undefined) return instant(found, calendar)
  const year = new Date(calendar.now).getUTCFullYear()
  for (const candidate of [year + 1, year]) {
    const at = compose(candidate, found.groups ?? {}, calendar)
    if (at <= calendar.now + DAY_MS) return at
  }
  return compose(year - 1, found.groups ?? {}, calendar)
}

/** Without a day: today, or yesterday when it would lie in the future. */
function today({ groups = {} }: Found, calendar: Calendar): number {
  const shift = calendar.utc ? 0 : new Date(calendar.now).getTimezoneOffset() * 60_000
  const day = new Date(calendar.now - shift)
  const date = { month: String(day.getUTCMonth() + 1), day: String(day.getUTCDate()) }
  const at = compose(day.getUTCFullYear(), { ...groups, ...date }, calendar)
  return at > calendar.now + 60_000 ? at - DAY_MS : at
}

type Groups = Readonly<Record<string, string | undefined>>

function compose(year: number, groups: Groups, calendar: Calendar): number {
  const month = groups.name === undefined ? Number(groups.month) : MONTHS.indexOf(groups.name) / 3 + 1
  const [day, hour, minute, second] = [groups.day, groups.hour, groups.minute, groups.second].map(Number)
  if (month < 1 || month > 12 || day! < 1 || day! > 31 || hour! > 24 || minute! > 59 || second! > 60)
    return Number.NaN
  const ms = groups.fraction === undefined ? 0 : Math.floor(Number(`0.${groups.fraction}`) * 1000)
  const parts = [year, month - 1, day!, hour!, minute!, second!, ms] as const
  if (groups.zone === undefined && !calendar.utc) return new Date(...parts).getTime()
  return Date.UTC(...parts) - offset(groups.zone)
}

function offset(zone: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '') ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}
