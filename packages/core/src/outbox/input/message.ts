import { InvalidInputError } from '../../errors.ts'
import { describe, duration, instantOrNull, plainText, wholeNumber } from '../../port/input.ts'
import type { Message } from '../types.ts'

export const LONGEST_NAME = 200
export const LONGEST_KEY = 512
const MOST_MESSAGES = 1000

/** A message as it travels to the database, in one JSON parameter for all of a call. */
export interface ReadMessage {
  readonly topic: string
  readonly destination: string
  readonly dedupKey: string
  readonly orderingKey: string | null
  readonly payload: string
  /** Null: at `delay` from now. */
  readonly notBefore: number | null
  readonly delay: number
}

/** @throws InvalidInputError naming the message and the field. */
export function readMessages(given: Message | readonly Message[], payloadBytes: number): ReadMessage[] {
  const messages = isList(given) ? given : [given]
  wholeNumber('messages', messages.length, 1, MOST_MESSAGES)
  return messages.map((message, index) =>
    read(message, isList(given) ? `messages[${index}].` : '', payloadBytes),
  )
}

function isList(given: Message | readonly Message[]): given is readonly Message[] {
  return Array.isArray(given)
}

function read(message: Message, path: string, payloadBytes: number): ReadMessage {
  const { notBefore, delay, orderingKey = null } = message
  if (notBefore !== undefined && delay !== undefined) {
    throw new InvalidInputError(`${path}delay`, 'is given with notBefore', 'one of the two')
  }
  return {
    topic: plainText(`${path}topic`, message.topic, LONGEST_NAME),
    destination: plainText(`${path}destination`, message.destination, LONGEST_NAME),
    dedupKey: plainText(`${path}dedupKey`, message.dedupKey, LONGEST_KEY),
    orderingKey: orderingKey === null ? null : plainText(`${path}orderingKey`, orderingKey, LONGEST_KEY),
    payload: jsonText(`${path}payload`, message.payload, payloadBytes),
    notBefore: instantOrNull(`${path}notBefore`, notBefore),
    delay: delay === undefined ? 0 : duration(`${path}delay`, delay),
  }
}

const encoder = new TextEncoder()

function jsonText(field: string, given: unknown, mostBytes: number): string {
  const accepted = `a JSON value of at most ${mostBytes} bytes`
  const text = written(field, given, accepted)
  if (text === undefined) throw new InvalidInputError(field, `is ${describe(given)}`, accepted)
  const bytes = text.length > mostBytes ? text.length : encoder.encode(text).length
  if (bytes > mostBytes) throw new InvalidInputError(field, `has at least ${bytes} bytes`, accepted)
  return text
}

/** A value without a JSON form, such as a function, becomes undefined; a circular one is refused. */
function written(field: string, given: unknown, accepted: string): string | undefined {
  try {
    return JSON.stringify(given)
  } catch (error) {
    throw new InvalidInputError(field, `has no JSON form (${String(error)})`, accepted)
  }
}

/** Dedup keys for a look-up: checked, each once. @throws InvalidInputError */
export function readKeys(field: string, given: readonly string[]): string[] {
  wholeNumber(`${field}.length`, given.length, 1, MOST_MESSAGES)
  return [...new Set(given.map((key, index) => plainText(`${field}[${index}]`, key, LONGEST_KEY)))]
}
