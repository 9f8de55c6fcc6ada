import { duration } from '../port/input.ts'
import type { SubjectRow } from './model-rows.ts'
import type { Expectations } from './types.ts'

/** What a new subject is given where nothing is said. */
export interface Defaults {
  readonly downAfterMs: number
  readonly lateAfterMs: number | null
}

/** A subject that begins. */
export function created(id: string, given: Expectations, now: number, defaults: Defaults): SubjectRow {
  const downAfterMs = lengthOf('downAfter', given.downAfter) ?? defaults.downAfterMs
  const appear = lengthOf('mustAppearWithin', given.mustAppearWithin)
  return {
    id,
    label: given.label ?? null,
    state: 'new',
    stateSince: now,
    lastSeen: null,
    beats: 0,
    downAfterMs,
    lateAfterMs: lengthOf('lateAfter', given.lateAfter) ?? defaults.lateAfterMs ?? downAfterMs,
    deadline: appear === null ? null : now + appear,
    parent: given.parent ?? null,
    tags: given.tags ?? [],
    maintenanceUntil: given.maintenanceUntil ?? null,
    sentAt: null,
    armedAt: now,
    createdAt: now,
  }
}

/** What is left out stays; a changed threshold starts its clock anew, so that saving a form pages nobody. */
export function change(
  row: SubjectRow,
  given: Expectations,
  now: number,
): { readonly changed: boolean; readonly rearmed: boolean } {
  const before = JSON.stringify(row)
  const { label, parent, tags, maintenanceUntil } = given
  for (const [field, value] of Object.entries({ label, parent, tags, maintenanceUntil })) {
    if (value !== undefined) Object.assign(row, { [field]: value })
  }
  const downAfterMs = lengthOf('downAfter', given.downAfter) ?? row.downAfterMs
  const lateAfterMs = lengthOf('lateAfter', given.lateAfter) ?? row.lateAfterMs
  const rearmed = downAfterMs !== row.downAfterMs || lateAfterMs !== row.lateAfterMs
  Object.assign(row, { downAfterMs, lateAfterMs })
  if (rearmed) row.armedAt = now
  if (rearmed || given.nextDueAt !== undefined) row.deadline = deadlineOf(row, given.nextDueAt ?? null)
  return { changed: JSON.stringify(row) !== before || typeof given.nextDueAt === 'number', rearmed }
}

/** When it will be down unless a beat comes. */
export function deadlineOf(row: SubjectRow, nextDueAt: number | null): number | null {
  if (row.state === 'new' || row.state === 'paused') return row.deadline
  const expected = Math.max(row.lastSeen ?? row.armedAt, row.armedAt, nextDueAt ?? Number.NEGATIVE_INFINITY)
  return expected + row.downAfterMs
}

function lengthOf(field: string, given: string | number | undefined): number | null {
  return given === undefined ? null : duration(field, given)
}
