import { hash } from 'node:crypto'
import type { Level } from '../../events/types.ts'
import type { Entry } from './joiner.ts'
import type { JsonLine } from './parse/json.ts'
import type { Line } from './parse/line.ts'
import { readStack } from './parse/stack.ts'

/** An event as it is sent. Everything beyond these fields is kept with the event's sample. */
export interface Draft {
  readonly id: string
  readonly source: string
  readonly level: Level
  readonly message?: string
  readonly at?: number
  readonly exception?: unknown
  readonly [more: string]: unknown
}

export interface DraftOptions {
  /** Names the file, so that the same part of it gives the same ids. */
  readonly identity: string
  /** As it is shown with the event, such as `app.log`. */
  readonly fileName: string
  /** In place of the source that a line names. */
  readonly source?: string
  /** The source of lines that name none. */
  readonly fallbackSource: string
  /** The level of lines that carry none; by default it is guessed from the message's words. */
  readonly level?: Level
  /** Keep the ids that JSON lines bring. */
  readonly ownIds: boolean
}

const MOST_STACK = 16_384

/** Makes an event of a log's entry. The same entry of the same file always gets the same id. */
export function toDraft(entry: Entry, options: DraftOptions): Draft {
  const { first, said } = entry
  const event = 'fields' in said ? fromJson(said) : fromText(entry, said)
  const { source, fallbackSource, level, identity, fileName, ownIds } = options
  const ownId = ownIds && 'id' in said ? said.id : undefined
  return {
    ...event,
    id: ownId ?? hash('sha256', `${identity}\n${first.offset}\n${first.text}`).slice(0, 32),
    source: source ?? said.source ?? fallbackSource,
    level: said.levelGuessed && level !== undefined ? level : said.level,
    ...(said.at === undefined ? {} : { at: said.at }),
    file: fileName,
    line: first.number,
  }
}

function fromText({ first, more }: Entry, said: Line): Partial<Draft> {
  if (more.length === 0) return { message: said.message }
  const lines = [said.message, ...more]
  const exception = readStack(lines)
  const traceOnly = /^Traceback /.test(first.text)
  const last = exception?.values.at(-1)
  return {
    message:
      traceOnly && last !== undefined ? [last.type, last.value].filter(Boolean).join(': ') : said.message,
    stack: lines.join('\n').slice(0, MOST_STACK),
    ...(exception === undefined ? {} : { exception }),
  }
}

/** What the line holds beyond what we read from it stays with the event, out of the way of its own fields. */
function fromJson({ message, exception, stack, fields }: JsonLine): Partial<Draft> {
  const trace = typeof exception === 'string' ? exception : stack
  const known = isStructured(exception) ? exception : trace && readStack(trace.split('\n'))
  const { fingerprint } = fields
  return {
    ...(message === undefined ? {} : { message }),
    ...(known === undefined || known === '' ? {} : { exception: known }),
    ...(typeof fingerprint === 'string' || Array.isArray(fingerprint) ? { fingerprint } : {}),
    fields,
  }
}

function isStructured(exception: unknown): boolean {
  return typeof exception === 'object' && exception !== null
}
