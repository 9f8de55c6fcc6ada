import { type Dialect, identifier, raw, type Sql, sql } from '@rowlock/core'
import { instant, slot, template } from '@rowlock/core/module'

/** A device as a whole, one element of the `devices` parameter. */
export interface DeviceItem {
  readonly id: string
  readonly uuid: string
  readonly slug: string | null
  readonly description: string | null
  readonly period_ms: number
  readonly grace_ms: number
  readonly schedule: string | null
  readonly timezone: string | null
  readonly manual_resume: number
  readonly post_only: number
  /** The version that was read; 0 for one that was not there. */
  readonly version: number
}

const TEXTS = ['slug', 'description', 'schedule', 'timezone'] as const
const NUMBERS = ['period_ms', 'grace_ms', 'manual_resume', 'post_only'] as const

export function deviceStatements(dialect: Dialect) {
  const devices = identifier('rowlock_devices')
  const now = instant(dialect, slot('now'))
  const project = sql`cast(${slot('project')} as bigint)`
  const named = (name: string, piece: Sql) => template(dialect, `devices.${name}`, piece)
  const columns = raw([...TEXTS, ...NUMBERS].join(', '))
  const given = raw(
    [
      ...TEXTS.map((name) => `value ->> '${name}'`),
      ...NUMBERS.map((name) => `cast(value ->> '${name}' as bigint)`),
    ].join(', '),
  )
  const changes = raw([...TEXTS, ...NUMBERS].map((name) => `${name} = excluded.${name}`).join(', '))
  return {
    /**
     * Writes devices as they are to be. Fewer rows than devices: somebody changed or made one meanwhile, and what was
     * read must be read again. The address of a device stays what it was.
     */
    write: named(
      'write',
      sql`insert into ${devices} (project, id, uuid, ${columns}, version, created_at)
        select ${project}, value ->> 'id', value ->> 'uuid', ${given},
          cast(value ->> 'version' as bigint) + 1, ${now}
        from ${dialect.objects(slot('devices'))} as given
        where true
        order by 2
        on conflict (project, id) do update set ${changes}, version = excluded.version
          where ${devices}.version = excluded.version - 1
        returning id, uuid`,
    ),
    /** Devices by their ids, one JSON array. */
    look: named(
      'look',
      sql`select d.project, d.id, d.uuid, d.slug, d.description, d.period_ms, d.grace_ms, d.schedule, d.timezone,
          d.manual_resume, d.post_only, d.version, d.pings, d.started_at, d.started_rid, d.last_duration_ms,
          d.created_at
        from ${dialect.texts(slot('ids'))} as ids
        join ${devices} d on d.project = ${project} and d.id = ids.value`,
    ),
    /** Whose ping addresses these are, one JSON array of UUIDs. */
    owners: named(
      'owners',
      sql`select d.project, d.id, d.uuid from ${dialect.texts(slot('uuids'))} as uuids
        join ${devices} d on d.uuid = uuids.value`,
    ),
    remove: named(
      'remove',
      sql`delete from ${devices} where project = ${project} and id = ${slot('device')} returning id`,
    ),
  }
}
