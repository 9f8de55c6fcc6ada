import type { BeatItem } from '../statements/beats.ts'
import type { Beat, BeatOptions } from '../types.ts'
import { readId, readInstant } from './expectations.ts'

type Given = Pick<BeatOptions, 'sentAt' | 'receivedAt' | 'nextDueAt'>

/** A beat as it travels to the database. @throws InvalidInputError naming the field, behind `path`. */
export function readBeat(id: string, given: Given, path = ''): BeatItem {
  return {
    id,
    times: 1,
    received: readInstant(`${path}receivedAt`, given.receivedAt),
    sent: readInstant(`${path}sentAt`, given.sentAt),
    due: readInstant(`${path}nextDueAt`, given.nextDueAt),
  }
}

/**
 * One item for each subject, in the order of the ids: several beats of one count each, the newest says when the next is
 * due. @throws InvalidInputError naming the beat and the field.
 */
export function readBeats(beats: readonly Beat[]): BeatItem[] {
  const items = new Map<string, BeatItem>()
  for (const [index, given] of beats.entries()) {
    const path = `beats[${index}].`
    const next = readBeat(readId(given?.id, `${path}id`), given, path)
    const before = items.get(next.id)
    items.set(next.id, before === undefined ? next : both(before, next))
  }
  return [...items.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
}

function both(before: BeatItem, next: BeatItem): BeatItem {
  const newer =
    before.received === null ? next.received === null : (next.received ?? before.received) >= before.received
  return {
    id: next.id,
    times: before.times + 1,
    received: newer ? next.received : before.received,
    sent: next.sent ?? before.sent,
    due: newer ? next.due : before.due,
  }
}
