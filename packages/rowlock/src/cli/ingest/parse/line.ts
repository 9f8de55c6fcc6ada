import type { Level } from '../../../events/types.ts'
import { type Head, takeHead } from './heads.ts'
import { levelOfMessage } from './levels.ts'
import { readLogfmt } from './logfmt.ts'
import { readClassicSyslog, readModernSyslog, takePriority } from './syslog.ts'
import { type Calendar, takeTimestamp } from './timestamps.ts'

/** What one line of a log says. */
export interface Line {
  readonly message: string
  /** ms since 1970; undefined when the line carries no time. */
  readonly at?: number
  /** As the line says, else a guess from the words of its message. */
  readonly level: Level
  readonly levelGuessed: boolean
  /** The program, class or component the line names. */
  readonly source?: string
  /** Whether it begins with a time or a priority: then it begins an event, and continues none. */
  readonly dated: boolean
}

const CLASSIC_DATE = /^[A-Z][a-z]{2} {1,2}\d{1,2} /

/** Reads a line of text. It never fails: what is no known prefix belongs to the message. */
export function readLine(text: string, calendar: Calendar): Line {
  const priority = takePriority(text)
  const body = priority === undefined ? text : text.slice(priority.length)
  const modern = priority && readModernSyslog(body, calendar)
  if (modern !== undefined) return toLine({ level: priority!.level, ...modern }, modern.at, true)

  const time = takeTimestamp(body, calendar)
  const pairs = time === undefined ? readLogfmt(body, calendar) : undefined
  if (pairs !== undefined) return toLine(pairs, pairs.at, true)
  const head = time === undefined ? readHead(body) : readDated(body, body.slice(time.length).trimStart())
  const level = head.level ?? time?.level ?? priority?.level
  return toLine(level === undefined ? head : { ...head, level }, time?.at, (time ?? priority) !== undefined)
}

function readHead(text: string): Head {
  return takeHead(text) ?? { message: text }
}

function readDated(body: string, rest: string): Head {
  return CLASSIC_DATE.test(body) ? withInnerHead(readClassicSyslog(rest)) : readHead(rest)
}

/** A program behind syslog may write a level of its own. */
function withInnerHead(outer: Head): Head {
  const inner = takeHead(outer.message)
  if (inner?.level === undefined) return outer
  return { ...outer, level: inner.level }
}

function toLine(head: Head, at: number | undefined, dated: boolean): Line {
  const message = head.message.trim()
  return {
    message,
    level: head.level ?? levelOfMessage(message),
    levelGuessed: head.level === undefined,
    dated,
    ...(at === undefined ? {} : { at }),
    ...(head.source === undefined ? {} : { source: head.source }),
  }
}
