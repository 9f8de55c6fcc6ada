import { firstLine } from './normalise.ts'
import { messageOf } from './recipes.ts'
import type { FingerprintInput } from './types.ts'

export const TITLE_LIMIT = 200

/** One line for people, unmasked: `TypeError: x is not a function`, or the message, or the sender's own key. */
export function titleOf(event: FingerprintInput, explicit: string): string {
  const caught = event.exception?.values?.findLast(
    (value) => typeof value?.type === 'string' && value.type !== '',
  )
  const type = firstLine(typeof caught?.type === 'string' ? caught.type : '')
  const value = firstLine(typeof caught?.value === 'string' ? caught.value : '')
  if (type !== '') return cut(value === '' ? type : `${type}: ${value}`)
  const text = event.logentry?.formatted || event.message || messageOf(event)
  return cut(firstLine(typeof text === 'string' ? text : '') || firstLine(explicit) || '(no message)')
}

function cut(line: string): string {
  if (line.length <= TITLE_LIMIT) return line
  const end = TITLE_LIMIT - 1
  // Not between the halves of a surrogate pair.
  return `${line.slice(0, (line.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end)}…`
}
