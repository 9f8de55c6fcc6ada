import { InvalidInputError } from '../../errors.ts'
import { describe, duration, instantOrNull, plainText } from '../../port/input.ts'
import type { SubjectItem } from '../statements/register.ts'
import type { Expectations } from '../types.ts'
import { LONGEST_ID } from './settings.ts'

const LONGEST_LABEL = 500
const MOST_TAGS = 50
const LONGEST_TAG = 100

/** @throws InvalidInputError for what is no id. */
export function readId(given: unknown, field = 'id'): string {
  return plainText(field, given, LONGEST_ID)
}

/** A subject as it travels to the database. @throws InvalidInputError naming the field, behind `path`. */
export function readSubject(id: string, given: Expectations, path = ''): SubjectItem {
  const { label, parent, downAfter, lateAfter, mustAppearWithin, tags, maintenanceUntil, nextDueAt } = given
  const text = (field: string, value: string | null, longest: number) =>
    value === null ? null : plainText(path + field, value, longest)
  const item: Omit<SubjectItem, 'id' | 'given'> = {
    ...(label !== undefined && { label: text('label', label, LONGEST_LABEL) }),
    ...(parent !== undefined && { parent: text('parent', parent, LONGEST_ID) }),
    ...(downAfter !== undefined && { downAfter: duration(`${path}downAfter`, downAfter) }),
    ...(lateAfter !== undefined && { lateAfter: duration(`${path}lateAfter`, lateAfter) }),
    ...(mustAppearWithin !== undefined && {
      appear: duration(`${path}mustAppearWithin`, mustAppearWithin),
    }),
    ...(tags !== undefined && { tags: JSON.stringify(readTags(tags, path)) }),
    ...(maintenanceUntil !== undefined && {
      maintenance: readInstant(`${path}maintenanceUntil`, maintenanceUntil),
    }),
    ...(nextDueAt !== undefined && { due: readInstant(`${path}nextDueAt`, nextDueAt) }),
  }
  return { id, ...item, given: `,${Object.keys(item).join()},` }
}

/** @throws InvalidInputError naming the subject and the field. */
export function readSubjects(given: readonly ({ readonly id: string } & Expectations)[]): SubjectItem[] {
  const items = new Map<string, SubjectItem>()
  for (const [index, subject] of given.entries()) {
    const path = `subjects[${index}].`
    const item = readSubject(readId(subject?.id, `${path}id`), subject, path)
    const before = items.get(item.id)
    items.set(item.id, before === undefined ? item : both(before, item))
  }
  return [...items.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
}

/** Of one subject given twice the later one counts, field by field. */
function both(before: SubjectItem, next: SubjectItem): SubjectItem {
  return { ...before, ...next, given: before.given + next.given }
}

/** An instant, or null for none. @throws InvalidInputError */
export function readInstant(field: string, given: number | null | undefined): number | null {
  return instantOrNull(field, given ?? undefined)
}

function readTags(given: readonly string[], path: string): string[] {
  if (!Array.isArray(given) || given.length > MOST_TAGS) {
    const problem = Array.isArray(given) ? `has ${given.length} entries` : `is ${describe(given)}`
    throw new InvalidInputError(`${path}tags`, problem, `a list of at most ${MOST_TAGS} texts`)
  }
  return [...new Set(given.map((tag, index) => plainText(`${path}tags[${index}]`, tag, LONGEST_TAG)))]
}
