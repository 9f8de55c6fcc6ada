import { InvalidInputError } from '@rowlock/core'
import { describe } from '@rowlock/core/module'
import { cleanText, cutText } from '../../events/clean.ts'
import { type DeviceFields, readDevice } from '../device/fields.ts'
import { isSlug, isUuid, slugOf } from '../ping/signal.ts'
import { type ImportRows, MOST_ROWS, type RowError, readRows } from './rows.ts'

type Json = Readonly<Record<string, unknown>>

/** A check of Healthchecks as its management API lists it. */
interface Imported {
  readonly fields: DeviceFields
  readonly paused: boolean
}

export interface HealthchecksRows extends ImportRows {
  /** Ids of checks that are paused there. */
  readonly paused: readonly string[]
}

/**
 * Devices from what `GET /api/v3/checks/` of Healthchecks answers. A check that came with its ping address keeps it:
 * clients change the host and nothing else. One listed with a read-only key has none and gets a new one.
 * @throws InvalidInputError for what is no such answer.
 */
export function devicesFromHealthchecks(given: unknown): HealthchecksRows {
  const checks = (given as Json | null)?.checks
  if (!Array.isArray(checks)) {
    throw new InvalidInputError('body', 'has no list `checks`', 'the answer of GET /api/v3/checks/')
  }
  if (checks.length === 0 || checks.length > MOST_ROWS) {
    throw new InvalidInputError('checks', `holds ${checks.length}`, `1 to ${MOST_ROWS} checks`)
  }
  const notes: RowError[] = []
  const paused: string[] = []
  const taken = takenSlugs(checks)
  const read = readRows(
    checks.map((check, index) => ({ row: index + 1, given: { check, row: index + 1 } })),
    ({ check, row }) => {
      const one = readCheck(check, taken)
      if (one.paused) paused.push(one.fields.id)
      notes.push(...notesOn(check as Json, row, one.fields))
      return one.fields
    },
  )
  return { ...read, notes, paused }
}

/** Slugs that only one check has: those may be ids. */
function takenSlugs(checks: readonly unknown[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const check of checks) {
    const slug = slugIn(check as Json)
    if (slug !== null) counts.set(slug, (counts.get(slug) ?? 0) + 1)
  }
  return new Set([...counts].filter(([, count]) => count === 1).map(([slug]) => slug))
}

function slugIn(check: Json | null): string | null {
  const { slug, name } = check ?? {}
  if (typeof slug === 'string' && isSlug(slug)) return slug
  return typeof name === 'string' ? slugOf(name) : null
}

function readCheck(given: unknown, unique: ReadonlySet<string>): Imported {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new InvalidInputError('check', `is ${describe(given)}`, 'an object')
  }
  const check = given as Json
  const uuid = uuidOf(check)
  const slug = slugIn(check)
  // The id stays the same when the import is repeated.
  const id = slug !== null && unique.has(slug) ? slug : (uuid ?? check.unique_key ?? slug)
  const fields = readDevice({
    id,
    name: textIn(check, 'name'),
    description: textIn(check, 'desc'),
    slug: typeof check.slug === 'string' && isSlug(check.slug) ? check.slug : null,
    tags: textIn(check, 'tags').split(/\s+/).filter(Boolean),
    ...expected(check),
    grace: seconds(check, 'grace'),
    manualResume: check.manual_resume === true,
    postOnly: check.methods === 'POST',
  })
  return { fields: uuid === undefined ? fields : { ...fields, uuid }, paused: check.status === 'paused' }
}

/** From `uuid`, which later versions give, or from the end of the ping address, which may hold a key and a slug instead. */
function uuidOf(check: Json): string | undefined {
  const { uuid, ping_url: address } = check
  if (typeof uuid === 'string' && isUuid(uuid)) return uuid.toLowerCase()
  const last = typeof address === 'string' ? address.replace(/\/$/, '').split('/').at(-1) : undefined
  return last !== undefined && isUuid(last) ? last.toLowerCase() : undefined
}

function expected(check: Json): Json {
  if (check.schedule === undefined || check.schedule === null) return { period: seconds(check, 'timeout') }
  if (typeof check.schedule === 'string' && check.schedule.trim().split(/\s+/).length !== 5) {
    throw new InvalidInputError(
      'schedule',
      `is ${describe(check.schedule)}`,
      'a cron expression; write one in place of the OnCalendar expression',
    )
  }
  return { schedule: check.schedule, timezone: check.tz ?? 'UTC' }
}

function seconds(check: Json, name: string): number | undefined {
  const given = check[name]
  if (given === undefined || given === null) return undefined
  if (Number.isSafeInteger(given)) return (given as number) * 1_000
  throw new InvalidInputError(name, `is ${describe(given)}`, 'a whole number of seconds')
}

function textIn(check: Json, name: string): string {
  const given = check[name] ?? ''
  if (typeof given === 'string') return cutText(cleanText(given), 1_999)
  throw new InvalidInputError(name, `is ${describe(given)}`, 'a text')
}

function notesOn(check: Json, row: number, { id, uuid }: DeviceFields): readonly RowError[] {
  const note = (column: string, message: string) => ({ row, column, message })
  const keywords = ['start_kw', 'success_kw', 'failure_kw'].filter((name) => Boolean(check[name]))
  return [
    ...(uuid === undefined ? [note('ping_url', `${id} gets a new ping address: the list holds none`)] : []),
    ...(keywords.length > 0 ? [note(keywords.join(), `${id}: keywords in bodies are not looked for`)] : []),
  ]
}
