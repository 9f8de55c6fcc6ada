import type { Level } from '../../../events/types.ts'
import { levelOfMessage, levelOfSeverity, levelOfTens, levelOfWord } from './levels.ts'
import { type Calendar, takeTimestamp } from './timestamps.ts'

export type Json = Readonly<Record<string, unknown>>

/** What one line of JSON says, whichever logger wrote it. */
export interface JsonLine {
  /** Undefined when no field holds one: then only an exception or a fingerprint can name the trouble. */
  readonly message?: string
  readonly at?: number
  readonly level: Level
  readonly levelGuessed: boolean
  readonly source?: string
  /** The sender's own id of the event. */
  readonly id?: string
  readonly exception?: unknown
  /** A stack as text. */
  readonly stack?: string
  /** Everything, as it came. */
  readonly fields: Json
}

/** Reads a line that holds one JSON object; undefined for anything else. */
export function parseJsonLine(text: string): Json | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

// Named as pino, bunyan, winston, zap, slog, logstash, structlog, Docker and journald name them.
const MESSAGE = ['message', 'msg', 'MESSAGE', 'event', 'text', 'log', 'body', 'error']
const LEVEL = ['level', 'severity', 'lvl', 'levelname', 'log.level', 'loglevel', 'severity_text']
const TIME = ['at', 'time', 'timestamp', '@timestamp', 'ts', 't', 'datetime', 'asctime']
const SOURCE = [
  'source',
  'logger',
  'name',
  'logger_name',
  'service',
  'app',
  'component',
  'SYSLOG_IDENTIFIER',
  '_COMM',
]
const ID = ['id', 'event_id']

export function readJsonLine(fields: Json, calendar: Calendar): JsonLine {
  const failure = isObject(fields.err) ? fields.err : isObject(fields.error) ? fields.error : undefined
  const message = text(fields, MESSAGE) ?? (failure && text(failure, ['message']))
  const level = readLevel(fields)
  return {
    level: level ?? (failure === undefined ? levelOfMessage(message ?? '') : 'error'),
    levelGuessed: level === undefined,
    fields,
    ...given('message', message),
    ...given('at', readTime(fields, calendar)),
    ...given('source', text(fields, SOURCE)),
    ...given('id', text(fields, ID)),
    ...given('exception', fields.exception ?? exceptionOf(failure)),
    ...given('stack', text(failure ?? fields, ['stack', 'stack_trace', 'exc_info'])),
  }
}

function readLevel(fields: Json): Level | undefined {
  for (const name of LEVEL) {
    const value = fields[name]
    if (typeof value === 'number') return levelOfTens(value)
    if (typeof value === 'string') return levelOfWord(value)
  }
  const priority = fields.PRIORITY
  return priority === undefined ? undefined : levelOfSeverity(Number(priority))
}

function readTime(fields: Json, calendar: Calendar): number | undefined {
  const journal = Number(fields.__REALTIME_TIMESTAMP)
  if (journal > 0) return Math.floor(journal / 1000)
  for (const name of TIME) {
    const value = fields[name]
    if (typeof value === 'number') return fromNumber(value)
    if (typeof value === 'string') return takeTimestamp(value, calendar)?.at
  }
  return undefined
}

/** Seconds, ms, µs or ns since 1970, told apart by their size. */
function fromNumber(value: number): number | undefined {
  if (!(value > 0)) return undefined
  let ms = value
  if (ms < 1e11) ms *= 1000
  while (ms > 1e14) ms /= 1000
  return Math.floor(ms)
}

function exceptionOf(failure: Json | undefined): unknown {
  if (failure === undefined) return undefined
  const type = text(failure, ['type', 'name', 'kind', 'class'])
  const value = text(failure, ['message'])
  return type === undefined ? undefined : { type, ...given('value', value) }
}

function text(fields: Json, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  return undefined
}

function given<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]?: Value })
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
