import { type Driver, InvalidInputError, NotFoundError, type Row } from '@rowlock/core'
import type { ChangeOutcome, Subject } from '@rowlock/core/liveness'
import { describe, wholeNumber } from '@rowlock/core/module'
import { decodeCursor, encodeCursor } from '../../cursor.ts'
import type { Ground } from '../../ground.ts'
import { deviceById, watchedProjects } from '../queries.ts'
import type { DeviceRow } from '../rows.ts'
import { deviceStatements } from '../statements/devices.ts'
import { pingStatements } from '../statements/pings.ts'
import type { Device, DeviceQuery } from '../types.ts'
import type { Watch } from '../watch.ts'
import { ID_LENGTH } from './fields.ts'

export const deviceStates = ['new', 'up', 'late', 'down', 'paused'] as const

/** Reading devices, and what people do with one. Making and changing them: `DeviceWriter`. */
export interface Devices {
  /** By project and id. */
  list(query?: DeviceQuery): Promise<{ readonly devices: readonly Device[]; readonly next: string | null }>
  find(project: number, id: string): Promise<Device | undefined>
  /** @throws NotFoundError */
  get(project: number, id: string): Promise<Device>
  /** Expects nothing of it, and ends its outage. @throws NotFoundError */
  pause(project: number, id: string): Promise<Device>
  /** @throws NotFoundError */
  resume(project: number, id: string): Promise<Device>
  /** With its pings; its outages stay. @throws NotFoundError */
  remove(project: number, id: string): Promise<void>
  /** The rows of these devices, by id. */
  rows(project: number, ids: readonly string[]): Promise<ReadonlyMap<string, DeviceRow>>
}

export function createDevices({ reader, clock }: Ground, driver: Driver, watch: Watch): Devices {
  const statements = deviceStatements(driver.dialect)
  const pings = pingStatements(driver.dialect)

  const rows = async (project: number, ids: readonly string[]) => {
    if (ids.length === 0) return new Map<string, DeviceRow>()
    const found = await driver.execute(statements.look.with({ project, ids: JSON.stringify(ids) }))
    return new Map((found as (Row & DeviceRow)[]).map((row) => [row.id, row]))
  }

  const find = async (project: number, id: string): Promise<Device | undefined> => {
    const row = id.length > ID_LENGTH ? undefined : await deviceById(reader, project, id)
    if (row === undefined) return undefined
    const { subjects } = await watch.of(project).status({ ids: [id] })
    const [subject] = subjects
    return subject && deviceOf(row, subject)
  }
  const get = async (project: number, id: string): Promise<Device> => {
    const known = await find(project, id)
    if (known === undefined) throw new NotFoundError(`device ${id.slice(0, 100)}`)
    return known
  }

  /** One page of one project. */
  const page = async (project: number, query: DeviceQuery, after: string | undefined, limit: number) => {
    const { state, tag, q } = query
    const { subjects, next } = await watch.of(project).status({
      limit,
      ...(state === undefined ? {} : { state: state as Subject['state'] | 'late' }),
      ...(tag === undefined ? {} : { tag }),
      ...(q === undefined || q === '' ? {} : { search: q }),
      ...(after === undefined ? {} : { after }),
    })
    const known = await rows(
      project,
      subjects.map(({ id }) => id),
    )
    const devices = subjects.flatMap((subject) => {
      const row = known.get(subject.id)
      return row === undefined ? [] : [deviceOf(row, subject)]
    })
    return { devices, next }
  }

  const change = async (outcome: Promise<ChangeOutcome>, id: string): Promise<void> => {
    const changed = await outcome
    if (changed.ok) return
    if (changed.reason === 'unknown') throw changed.cause
    throw new NotFoundError(`device ${id.slice(0, 100)}`)
  }

  return {
    find,
    get,
    rows,
    async list(query = {}) {
      const limit = wholeNumber('limit', query.limit ?? 50, 1, 200)
      readFilters(query)
      const [from = 0, id] =
        query.cursor === undefined ? [] : decodeCursor(query.cursor, ['number', 'string'])
      const { project = null } = query
      const projects = project === null ? (await watchedProjects(reader)).map((row) => row.id) : [project]
      const devices: Device[] = []
      for (const [index, one] of projects.entries()) {
        if (one < Number(from)) continue
        let after = one === from ? (id as string) || undefined : undefined
        for (;;) {
          const found = await page(one, query, after, limit - devices.length)
          devices.push(...found.devices)
          if (found.next === null) break
          if (devices.length >= limit) return { devices, next: encodeCursor([one, found.next]) }
          after = found.next
        }
        const following = projects[index + 1]
        if (devices.length >= limit && following !== undefined) {
          return { devices, next: encodeCursor([following, '']) }
        }
      }
      return { devices, next: null }
    },
    async pause(project, id) {
      const also = [pings.forgetStart.with({ project, device: id })]
      await change(watch.of(project).pause(id, { also }), id)
      return await get(project, id)
    },
    async resume(project, id) {
      const row = await deviceById(reader, project, id)
      if (row === undefined) throw new NotFoundError(`device ${id.slice(0, 100)}`)
      await change(watch.resume(row, clock()), id)
      return await get(project, id)
    },
    async remove(project, id) {
      const values = { project, device: id }
      const also = [statements.remove.with(values), pings.removeAll.with(values)]
      await change(watch.of(project).remove(id, { also }), id)
    },
  }
}

function readFilters({ state, tag, q }: DeviceQuery): void {
  if (state !== undefined && !(deviceStates as readonly string[]).includes(state)) {
    throw new InvalidInputError('state', `is ${describe(state)}`, deviceStates.join(', '))
  }
  for (const [name, value] of Object.entries({ tag, q })) {
    if (value !== undefined && value.length > 200)
      throw new InvalidInputError(name, 'is too long', 'at most 200 characters')
  }
}

export function deviceOf(row: DeviceRow, subject: Subject): Device {
  const { lastSeen, sentAt } = subject
  return {
    project: row.project,
    id: row.id,
    name: subject.label,
    description: row.description,
    slug: row.slug,
    state: subject.state,
    late: subject.late,
    stateChangedAt: subject.stateSince,
    lastSeenAt: lastSeen,
    beats: subject.beats,
    deadlineAt: subject.deadline,
    skewMs: sentAt === null || lastSeen === null ? null : sentAt - lastSeen,
    periodMs: row.period_ms,
    graceMs: row.grace_ms,
    schedule: row.schedule,
    timezone: row.timezone,
    tags: subject.tags,
    parent: subject.parent,
    maintenanceUntil: subject.maintenanceUntil,
    manualResume: row.manual_resume === 1,
    postOnly: row.post_only === 1,
    runningSinceAt: row.started_at,
    lastDurationMs: row.last_duration_ms,
    pings: row.pings,
    createdAt: row.created_at,
    uuid: row.uuid,
  }
}
