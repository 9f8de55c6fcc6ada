import { InvalidInputError } from '@rowlock/core'
import { describe, plainText } from '@rowlock/core/module'
import { cleanText, cutText } from './clean.ts'
import { type ExceptionValue, fingerprint } from './fingerprint/index.ts'
import { readTime } from './time.ts'
import { type Level, levels, type ReadEvent, type Trouble } from './types.ts'

export interface ReadContext {
  readonly project: { readonly id: number; readonly windowMs: number }
  /** The clock of this process, ms. */
  readonly receivedAt: number
  newId(now: number): string
}

const ID_LENGTH = 200
const SOURCE_LENGTH = 200
const MESSAGE_LENGTH = 65_536

type Json = Readonly<Record<string, unknown>>

/**
 * Reads one event as a sender wrote it. Unknown fields are kept for the sample and mean nothing.
 * @throws InvalidInputError naming the field.
 */
export function readEvent(given: unknown, { project, receivedAt, newId }: ReadContext): ReadEvent {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new InvalidInputError('event', `is ${describe(given)}`, 'a JSON object')
  }
  const raw = given as Json
  const trouble = readTrouble(raw)
  const { key, version, title } = fingerprint(trouble)
  const id = raw.id ?? raw.event_id
  return {
    project: project.id,
    eventId: id === undefined || id === null ? newId(receivedAt) : plainText('id', id, ID_LENGTH),
    issue: `${project.id}-${key}`,
    fingerprint: key,
    fingerprintVersion: version,
    source: trouble.source,
    level: readLevel(raw.level),
    title: cleanText(title),
    at: readTime(raw.at ?? raw.timestamp, receivedAt),
    raw,
    windowMs: project.windowMs,
  }
}

function readTrouble(raw: Json): Trouble {
  const source = optionalText('source', raw.source)
  const message = optionalText('message', raw.message)
  const values = readExceptions(raw.exception)
  const key = readFingerprint(raw.fingerprint)
  if (message === undefined && values === undefined && key === undefined) {
    throw new InvalidInputError('message', 'is missing', 'a message, an exception or a fingerprint')
  }
  return {
    source: source === undefined ? 'unknown' : cutText(cleanText(source), SOURCE_LENGTH),
    message: message === undefined ? null : message.slice(0, MESSAGE_LENGTH),
    exception: values === undefined ? null : { values },
    fingerprint: key ?? null,
  }
}

/** A text that says something; blank is as good as none. */
function optionalText(field: string, given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined
  if (typeof given !== 'string') throw new InvalidInputError(field, `is ${describe(given)}`, 'a string')
  return given.trim() === '' ? undefined : given
}

/** One exception, a list of them, or `{ values: [...] }`, from the innermost cause to the last. */
function readExceptions(given: unknown): readonly ExceptionValue[] | undefined {
  if (given === undefined || given === null) return undefined
  const list = isObject(given) && 'values' in given ? given.values : given
  const values = (Array.isArray(list) ? list : [list]).filter((value) => value !== null)
  if (!values.every(isObject)) {
    throw new InvalidInputError('exception', `holds ${describe(values.find((v) => !isObject(v)))}`, EXCEPTION)
  }
  return values.length === 0 ? undefined : values.map(readException)
}

const EXCEPTION = 'an object { type, value, stacktrace: { frames } }, or a list of those'

function readException(given: Json): ExceptionValue {
  const stacktrace = isObject(given.stacktrace) ? given.stacktrace : {}
  const frames = Array.isArray(stacktrace.frames) ? stacktrace.frames.filter(isObject) : null
  return {
    type: typeof given.type === 'string' ? given.type : null,
    value: typeof given.value === 'string' ? given.value : null,
    stacktrace: frames === null ? null : { frames },
    mechanism: isObject(given.mechanism) ? { synthetic: given.mechanism.synthetic === true } : null,
  }
}

function readFingerprint(given: unknown): string | readonly unknown[] | undefined {
  if (given === undefined || given === null || given === '') return undefined
  if (typeof given === 'string') return given
  if (Array.isArray(given) && given.every((part) => typeof part === 'string' || typeof part === 'number')) {
    return given.length === 0 ? undefined : given
  }
  throw new InvalidInputError('fingerprint', `is ${describe(given)}`, 'a string or a list of strings')
}

const otherNames: Readonly<Record<string, Level>> = {
  critical: 'fatal',
  emergency: 'fatal',
  alert: 'fatal',
  panic: 'fatal',
  err: 'error',
  warn: 'warning',
  notice: 'info',
  log: 'info',
  trace: 'debug',
}

function readLevel(given: unknown): Level {
  if (given === undefined || given === null) return 'error'
  const word = typeof given === 'string' ? given.toLowerCase() : ''
  const level =
    levels.find((known) => known === word) ?? (Object.hasOwn(otherNames, word) ? otherNames[word] : undefined)
  if (level !== undefined) return level
  throw new InvalidInputError('level', `is ${describe(given)}`, levels.join(', '))
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
