import { type Duration, InvalidInputError } from '@rowlock/core'
import { describe, duration, plainText } from '@rowlock/core/module'
import { isSlug, isUuid } from '../ping/signal.ts'
import { readSchedule, readTimezone, type Schedule } from './schedule.ts'

/** What may be said of a device. What is left out stays as it is, or takes the default of a new one. */
export interface DeviceFields {
  readonly id: string
  readonly name?: string | null
  readonly description?: string | null
  /** Its place in ping addresses; not unique. */
  readonly slug?: string | null
  /** A beat is expected within so many ms of the one before. */
  readonly periodMs?: number
  /** In place of a period; null: back to the period. */
  readonly schedule?: Schedule | null
  /** Late for longer than this is down, and so is a job that runs for longer. */
  readonly graceMs?: number
  readonly tags?: readonly string[]
  /** While this one is down, nobody is told of those behind it. */
  readonly parent?: string | null
  readonly maintenanceUntil?: number | null
  /** A new device that has not appeared within so many ms is down. Default: it stays new. */
  readonly mustAppearWithinMs?: number
  /** Paused, it stays so until it is resumed; otherwise a ping resumes it. */
  readonly manualResume?: boolean
  /** Only POST counts as a ping. */
  readonly postOnly?: boolean
  /** Its own ping address, where it had one elsewhere. */
  readonly uuid?: string
}

export const ID_LENGTH = 200
const NAME_LENGTH = 200
const TEXT_LENGTH = 2_000
const YEAR_MS = 366 * 86_400_000
/** Lengths of time that a client can keep at all. */
const SHORTEST_MS = 1_000

/** The names of a device's fields as JSON, CSV and the command line have them. */
export const fieldNames = [
  'id',
  'name',
  'description',
  'slug',
  'period',
  'schedule',
  'timezone',
  'grace',
  'tags',
  'parent',
  'maintenanceUntil',
  'mustAppearWithin',
  'manualResume',
  'postOnly',
] as const

export type FieldName = (typeof fieldNames)[number]
export type GivenFields = Readonly<Partial<Record<FieldName, unknown>>>

/**
 * Reads a device as somebody wrote it.
 * @throws InvalidInputError naming the field, also one that is not known.
 */
export function readDevice(given: Readonly<Record<string, unknown>>, id: unknown = given.id): DeviceFields {
  const unknown = Object.keys(given).find((name) => !(fieldNames as readonly string[]).includes(name))
  if (unknown !== undefined) {
    throw new InvalidInputError(unknown.slice(0, 60) || 'field', 'is not a field', fieldNames.join(', '))
  }
  const fields = given as GivenFields
  return {
    id: readId(id),
    ...part(fields, 'name', (value, field) => textOrNull(value, field, NAME_LENGTH)),
    ...part(fields, 'description', (value, field) => textOrNull(value, field, TEXT_LENGTH)),
    ...part(fields, 'slug', readSlug),
    ...part(fields, 'period', readLength, 'periodMs'),
    ...part(fields, 'grace', readLength, 'graceMs'),
    ...scheduleOf(fields),
    ...part(fields, 'tags', readTags),
    ...part(fields, 'parent', (value, field) => textOrNull(value, field, ID_LENGTH)),
    ...part(fields, 'maintenanceUntil', readInstant),
    ...part(fields, 'mustAppearWithin', readLength, 'mustAppearWithinMs'),
    ...part(fields, 'manualResume', readTruth),
    ...part(fields, 'postOnly', readTruth),
  }
}

export function readId(given: unknown): string {
  const id = plainText('id', given, ID_LENGTH)
  if (id.trim() === id && !/\p{Cc}/u.test(id)) return id
  throw new InvalidInputError('id', `is ${describe(id)}`, 'no spaces around it, no control characters')
}

function part<T>(
  fields: GivenFields,
  name: FieldName,
  read: (value: unknown, field: string) => T,
  as: string = name,
): Record<string, T> {
  return fields[name] === undefined ? {} : { [as]: read(fields[name], name) }
}

function scheduleOf({ schedule, timezone }: GivenFields): Pick<DeviceFields, 'schedule'> {
  if (schedule === null) return { schedule: null }
  if (schedule !== undefined) return { schedule: readSchedule(schedule, timezone ?? 'UTC') }
  if (timezone === undefined || timezone === null) return {}
  readTimezone(timezone)
  throw new InvalidInputError('timezone', 'stands without a schedule', 'both, or neither')
}

function textOrNull(given: unknown, field: string, longest: number): string | null {
  return given === null || given === '' ? null : plainText(field, given, longest)
}

function readSlug(given: unknown): string | null {
  if (given === null || given === '') return null
  if (typeof given === 'string' && isSlug(given)) return given
  throw new InvalidInputError('slug', `is ${describe(given)}`, 'at most 100 of a-z, 0-9, - and _')
}

function readLength(given: unknown, field: string): number {
  const ms = duration(field, given as Duration, YEAR_MS)
  if (ms >= SHORTEST_MS) return ms
  throw new InvalidInputError(field, `is ${describe(given)}`, 'at least "1s"')
}

function readTags(given: unknown): readonly string[] {
  const accepted = 'at most 50 different texts of at most 100 characters'
  if (!Array.isArray(given) || given.length > 50) {
    throw new InvalidInputError('tags', `is ${describe(given)}`, accepted)
  }
  return [...new Set(given.map((tag) => plainText('tags', tag, 100)))]
}

function readInstant(given: unknown, field: string): number | null {
  if (given === null) return null
  const at = typeof given === 'string' && /^\d{4}-\d\d-\d\dT/.test(given) ? Date.parse(given) : given
  if (Number.isSafeInteger(at) && (at as number) >= 0 && (at as number) <= 8.64e15) return at as number
  throw new InvalidInputError(field, `is ${describe(given)}`, 'ISO 8601, milliseconds since 1970, or null')
}

function readTruth(given: unknown, field: string): boolean {
  if (typeof given === 'boolean') return given
  throw new InvalidInputError(field, `is ${describe(given)}`, 'true or false')
}

/** @throws InvalidInputError */
export function readUuid(given: unknown): string {
  if (typeof given === 'string' && isUuid(given)) return given.toLowerCase()
  throw new InvalidInputError('uuid', `is ${describe(given)}`, 'a UUID')
}
