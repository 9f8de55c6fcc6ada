import { InvalidInputError } from '../../errors.ts'
import type { Row } from '../../port/driver.ts'
import { describe, plainText, wholeNumber } from '../../port/input.ts'
import { integer, integerOrNull, text, textOrNull, truth } from '../../port/row.ts'
import { readId } from '../input/expectations.ts'
import { LONGEST_ID } from '../input/settings.ts'
import type { Liveness, Parts } from '../liveness.ts'
import { subjects as statement } from '../statements/list.ts'
import type { StatusOptions, Subject, SubjectState } from '../types.ts'

const STATES = ['new', 'up', 'down', 'paused', 'late']
const MOST_IDS = 10_000

export function status({ driver, tables, settings }: Parts): Liveness['status'] {
  return async (options = {}) => {
    check(options)
    const limit = wholeNumber('limit', options.limit ?? 100, 1, 1000)
    const given = { scope: settings.scope, limit: limit + 1, now: settings.now(options.now) }
    const rows = await driver.execute(statement(driver.dialect, tables, options, given))
    const subjects = rows.slice(0, limit).map(subject)
    return { subjects, next: rows.length > limit ? (subjects.at(-1)?.id ?? null) : null }
  }
}

function check({ state, tag, ids, search, after }: StatusOptions): void {
  if (state !== undefined && !STATES.includes(state)) {
    throw new InvalidInputError('state', `is ${describe(state)}`, STATES.join(', '))
  }
  if (tag !== undefined) plainText('tag', tag, LONGEST_ID)
  if (search !== undefined) plainText('search', search, LONGEST_ID)
  if (after !== undefined) readId(after, 'after')
  if (ids !== undefined) {
    wholeNumber('ids.length', ids.length, 0, MOST_IDS)
    ids.forEach((id, index) => {
      readId(id, `ids[${index}]`)
    })
  }
}

function subject(row: Row): Subject {
  return {
    id: text(row, 'id'),
    label: textOrNull(row, 'label'),
    state: text(row, 'state') as SubjectState,
    stateSince: integer(row, 'state_since'),
    lastSeen: integerOrNull(row, 'last_seen'),
    beats: integer(row, 'beats'),
    lateAfterMs: integer(row, 'late_after_ms'),
    downAfterMs: integer(row, 'down_after_ms'),
    deadline: integerOrNull(row, 'deadline'),
    late: truth(row, 'late'),
    parent: textOrNull(row, 'parent_id'),
    tags: JSON.parse(text(row, 'tags')) as string[],
    maintenanceUntil: integerOrNull(row, 'maintenance_until'),
    sentAt: integerOrNull(row, 'sent_at'),
  }
}
