import type { ExceptionValue, FingerprintInput } from './types.ts'

// Events come from anywhere: what has another type than it should is read as missing.

/** The string, or an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

const none: readonly ExceptionValue[] = []

/** The exceptions of an event, from the innermost cause to the one that was caught; also where they are a bare list. */
export function exceptionsOf(event: FingerprintInput): readonly ExceptionValue[] {
  const { exception }: { exception?: unknown } = event
  if (exception === undefined || exception === null) return none
  const values = Array.isArray(exception) ? exception : (exception as { values?: unknown }).values
  return Array.isArray(values) ? values.filter((value) => typeof value === 'object' && value !== null) : none
}

/**
 * The template of a message groups best; then its text; then the text of an exception, for senders that send a message as
 * an exception without a type.
 */
export function messageOf(event: FingerprintInput): string {
  return (
    textOf(event.logentry?.message) ||
    textOf(event.logentry?.formatted) ||
    textOf(event.message) ||
    textOf(exceptionsOf(event).findLast((exception) => textOf(exception.value) !== '')?.value)
  )
}
