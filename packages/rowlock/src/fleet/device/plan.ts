import { ConflictError } from '@rowlock/core'
import type { Expectations, Subject } from '@rowlock/core/liveness'
import { slugOf } from '../ping/signal.ts'
import type { DeviceRow } from '../rows.ts'
import type { DeviceItem } from '../statements/devices.ts'
import type { DeviceFields } from './fields.ts'
import { nextTime, type Schedule } from './schedule.ts'

/** What is to be written of one device: its row as a whole, and what is expected of its subject. */
export interface DevicePlan {
  readonly kind: 'created' | 'changed' | 'unchanged'
  readonly item: DeviceItem
  readonly expectations: { readonly id: string } & Expectations
}

/** A new device is silent for a minute more than five before it is down. */
const PERIOD_MS = 5 * 60_000
const GRACE_MS = 60_000

/**
 * Puts what was asked for on top of what is there.
 * @throws ConflictError where an address is asked for and the device has another.
 */
export function planDevice(
  fields: DeviceFields,
  known: { readonly row: DeviceRow | undefined; readonly subject: Subject | undefined },
  now: number,
): DevicePlan {
  const { row, subject } = known
  const item = itemOf(fields, row)
  if (row !== undefined && fields.uuid !== undefined && fields.uuid !== row.uuid) {
    throw new ConflictError(`${fields.id} is there already, with another ping address`, { id: fields.id })
  }
  const expectations = expectationsOf(fields, item, row, now)
  if (row === undefined || subject === undefined) return { kind: 'created', item, expectations }
  const same = sameItem(item, row) && sameSubject(fields, subject)
  return { kind: same ? 'unchanged' : 'changed', item, expectations }
}

function itemOf(fields: DeviceFields, row: DeviceRow | undefined): DeviceItem {
  const pick = <T>(given: T | undefined, known: T | undefined, otherwise: T): T =>
    given !== undefined ? given : known !== undefined ? known : otherwise
  const { schedule } = fields
  return {
    id: fields.id,
    uuid: row?.uuid ?? fields.uuid ?? crypto.randomUUID(),
    slug: pick(fields.slug, row?.slug, slugOf(fields.id)),
    description: pick(fields.description, row?.description, null),
    period_ms: pick(fields.periodMs, row?.period_ms, PERIOD_MS),
    grace_ms: pick(fields.graceMs, row?.grace_ms, GRACE_MS),
    ...scheduleColumns(schedule !== undefined ? schedule : rowSchedule(row, fields)),
    manual_resume: pick(number(fields.manualResume), row?.manual_resume, 1),
    post_only: pick(number(fields.postOnly), row?.post_only, 0),
    version: row?.version ?? 0,
  }
}

/** A period that is given takes the place of the schedule. */
function rowSchedule(row: DeviceRow | undefined, { periodMs }: DeviceFields): Schedule | null {
  return row === undefined || periodMs !== undefined ? null : scheduleOf(row)
}

export function scheduleOf(row: Pick<DeviceRow, 'schedule' | 'timezone'>): Schedule | null {
  return row.schedule === null ? null : { cron: row.schedule, timezone: row.timezone ?? 'UTC' }
}

function scheduleColumns(schedule: Schedule | null): Pick<DeviceItem, 'schedule' | 'timezone'> {
  return { schedule: schedule?.cron ?? null, timezone: schedule?.timezone ?? null }
}

function number(truth: boolean | undefined): number | undefined {
  return truth === undefined ? undefined : Number(truth)
}

function expectationsOf(
  fields: DeviceFields,
  item: DeviceItem,
  row: DeviceRow | undefined,
  now: number,
): DevicePlan['expectations'] {
  const { name, tags, parent, maintenanceUntil, mustAppearWithinMs } = fields
  return {
    id: fields.id,
    ...(name === undefined ? {} : { label: name }),
    ...(tags === undefined ? {} : { tags }),
    ...(parent === undefined ? {} : { parent }),
    ...(maintenanceUntil === undefined ? {} : { maintenanceUntil }),
    ...(mustAppearWithinMs === undefined ? {} : { mustAppearWithin: mustAppearWithinMs }),
    ...lengthsOf(item),
    ...(keepsTime(item, row) ? {} : { nextDueAt: dueAt(item, now) }),
  }
}

function lengthsOf(item: DeviceItem): Pick<Expectations, 'downAfter' | 'lateAfter'> {
  // Past its time it is late at once.
  if (item.schedule !== null) return { downAfter: item.grace_ms, lateAfter: 1 }
  return { downAfter: item.period_ms + item.grace_ms, lateAfter: item.period_ms }
}

/** A save that leaves schedule and grace alone leaves the time alone that a beat is waited for. */
function keepsTime(item: DeviceItem, row: DeviceRow | undefined): boolean {
  if (item.schedule === null && (row?.schedule ?? null) === null) return true
  const names = ['schedule', 'timezone', 'grace_ms'] as const
  return row !== undefined && names.every((name) => item[name] === row[name])
}

function dueAt(item: DeviceItem, now: number): number | null {
  const schedule = scheduleOf(item)
  return schedule === null ? null : (nextTime(schedule, now) ?? null)
}

/** When the next beat is due, for the verbs of a device that has a schedule. */
export function dueAfter(
  row: Pick<DeviceRow, 'schedule' | 'timezone'>,
  now: number,
): { readonly nextDueAt?: number | null } {
  const schedule = scheduleOf(row)
  return schedule === null ? {} : { nextDueAt: nextTime(schedule, now) ?? null }
}

function sameItem(item: DeviceItem, row: DeviceRow): boolean {
  const names = ['slug', 'description', 'period_ms', 'grace_ms', 'schedule', 'timezone'] as const
  const flags = ['manual_resume', 'post_only'] as const
  return [...names, ...flags].every((name) => item[name] === row[name])
}

function sameSubject(fields: DeviceFields, subject: Subject): boolean {
  const { name, tags, parent, maintenanceUntil } = fields
  return (
    (name === undefined || name === subject.label) &&
    (tags === undefined || [...tags].sort().join('\0') === [...subject.tags].sort().join('\0')) &&
    (parent === undefined || parent === subject.parent) &&
    (maintenanceUntil === undefined || maintenanceUntil === subject.maintenanceUntil)
  )
}
