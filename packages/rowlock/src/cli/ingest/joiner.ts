import type { RawLine } from './lines.ts'
import { type JsonLine, parseJsonLine, readJsonLine } from './parse/json.ts'
import { type Line, readLine } from './parse/line.ts'
import type { Calendar } from './parse/timestamps.ts'

export const formats = ['auto', 'text', 'jsonl', 'syslog'] as const
export type Format = (typeof formats)[number]

/** One event of a log: its first line, read, and the lines that go on with it. */
export interface Entry {
  readonly first: RawLine
  readonly said: Line | JsonLine
  /** Lines of a stack trace or of a message with several lines, as they stand. */
  readonly more: readonly string[]
  /** How many lines went on with it, also those too many to keep. */
  readonly joined: number
}

/** A line that cannot be an event. */
export interface Broken {
  readonly first: RawLine
  readonly broken: string
}

export interface Joiner {
  /** Takes the next line that is not blank; gives what it brought to an end. */
  push(line: RawLine): Entry | Broken | undefined
  /** Gives the event that has begun, if there is one. */
  flush(): Entry | undefined
}

const MOST_KEPT = 500
const CHAIN =
  /^(?:Caused by: |Suppressed: |\.\.\. \d+ more|During handling of the above|The above exception was)/
const TRACEBACK = /^Traceback \(most recent call last\):/
const EXCEPTION =
  /^(?:Exception in thread "|(?:[\w$]{1,100}\.){0,20}[A-Z][\w$]{0,100}(?:Error|Exception|Throwable)(?:: |$))/

/**
 * Puts lines together that make one event. A line that is indented, or that goes on with a stack trace,
 * belongs to the event before it; everything else begins an event of its own.
 */
export function createJoiner(format: Format, calendar: () => Calendar): Joiner {
  let open: OpenEntry | undefined

  const replace = (next: OpenEntry | undefined): Entry | undefined => {
    const ended = open
    open = next
    return ended
  }

  return {
    push(line) {
      const json = format === 'text' || format === 'syslog' ? undefined : parseJsonLine(line.text)
      if (json !== undefined) {
        return replace({
          first: line,
          said: readJsonLine(json, calendar()),
          more: [],
          joined: 0,
          trace: 'none',
        })
      }
      if (format === 'jsonl') return { first: line, broken: 'the line is not a JSON object' }
      const said = readLine(line.text.trimStart(), calendar())
      if (open !== undefined && continues(line.text, said, open)) {
        add(open, line.text)
        return undefined
      }
      const trace = TRACEBACK.test(line.text) ? 'running' : 'none'
      return replace({ first: line, said, more: [], joined: 0, trace })
    },
    flush: () => replace(undefined),
  }
}

interface OpenEntry extends Entry {
  more: string[]
  joined: number
  /** Python ends a stack with a line that is not indented, and may begin another behind it. */
  trace: 'none' | 'running' | 'over'
}

function continues(text: string, said: Line, open: OpenEntry): boolean {
  if (said.dated || 'fields' in open.said) return false
  if (/^\s/.test(text)) return open.trace === 'running' || said.levelGuessed
  if (open.trace === 'running' || CHAIN.test(text)) return true
  if (TRACEBACK.test(text)) return open.trace === 'over' || !isBare(open.said)
  return EXCEPTION.test(text) && !isBare(open.said) && open.joined === 0
}

/** Whether no logger wrote the line: then a stack trace behind it is an event of its own. */
function isBare(said: Line | JsonLine): boolean {
  return said.levelGuessed && !('dated' in said && said.dated)
}

function add(open: OpenEntry, text: string): void {
  if (TRACEBACK.test(text)) open.trace = 'running'
  else if (open.trace === 'running' && !/^\s/.test(text)) open.trace = 'over'
  open.joined += 1
  if (open.more.length < MOST_KEPT) open.more.push(text)
}
