import { firstLine } from './normalise.ts'
import { exceptionsOf, messageOf, textOf } from './reading.ts'
import type { FingerprintInput } from './types.ts'

export const TITLE_LIMIT = 200

/** One line for people, unmasked: `TypeError: x is not a function`, or the message, or the sender's own key. */
export function titleOf(event: FingerprintInput, explicit: string): string {
  const caught = exceptionsOf(event).findLast((exception) => textOf(exception.type) !== '')
  const type = firstLine(textOf(caught?.type))
  const value = firstLine(textOf(caught?.value))
  if (type !== '') return cut(value === '' ? type : `${type}: ${value}`)
  const message = textOf(event.logentry?.formatted) || textOf(event.message) || messageOf(event)
  return cut(firstLine(message) || firstLine(explicit) || '(no message)')
}

function cut(line: string): string {
  if (line.length <= TITLE_LIMIT) return line
  const end = TITLE_LIMIT - 1
  // Not between the halves of a surrogate pair.
  return `${line.slice(0, (line.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end)}…`
}
