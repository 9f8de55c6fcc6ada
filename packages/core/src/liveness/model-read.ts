import type { Fleet, SubjectRow } from './model-rows.ts'
import type {
  Downtime,
  DowntimePage,
  DowntimesOptions,
  StatusOptions,
  Subject,
  SubjectPage,
} from './types.ts'

export function statusPage(fleet: Fleet, options: StatusOptions, now: number): SubjectPage {
  const { state, tag, ids, search, after = '', limit = 100 } = options
  const found = [...fleet.subjects.values()]
    .map((row) => told(row, now))
    .filter((row) => row.id > after)
    .filter((row) => state === undefined || (state === 'late' ? row.late : row.state === state))
    .filter((row) => tag === undefined || row.tags.includes(tag))
    .filter((row) => ids === undefined || ids.includes(row.id))
    .filter((row) => search === undefined || contains(row.id, search) || contains(row.label ?? '', search))
    .sort((left, right) => (left.id < right.id ? -1 : 1))
  const subjects = found.slice(0, limit)
  return { subjects, next: found.length > limit ? (subjects.at(-1)?.id ?? null) : null }
}

function told({ armedAt: _, createdAt: __, ...row }: SubjectRow, now: number): Subject {
  const late =
    row.state === 'up' && row.deadline !== null && now >= row.deadline - row.downAfterMs + row.lateAfterMs
  return { ...row, late }
}

export function downtimePage({ downtimes }: Fleet, options: DowntimesOptions): DowntimePage {
  const { subject, open, from, to, episode, before, limit = 100 } = options
  const found = downtimes
    .map(({ reason: _, ...row }): Downtime => row)
    .filter((row) => subject === undefined || row.subject === subject)
    .filter((row) => open === undefined || open === (row.endedAt === null))
    .filter((row) => episode === undefined || row.episode === episode)
    .filter((row) => to === undefined || row.startedAt < to)
    .filter((row) => from === undefined || row.endedAt === null || row.endedAt > from)
    .reverse()
  const start = before === undefined ? 0 : found.findIndex(({ id }) => id === before) + 1
  const page = found.slice(start, start + limit)
  return { downtimes: page, next: found.length > start + limit ? (page.at(-1)?.id ?? null) : null }
}

/** As the SQL compares: without regard to the case of a to z. */
function contains(text: string, part: string): boolean {
  const lower = (given: string) => given.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return lower(text).includes(lower(part))
}
