import { sql } from '@rowlock/core'
import type { ModuleSchema } from '@rowlock/core/module'

/**
 * What the hub knows of a device beside the library's subject of the same id: how it is expected, where it pings,
 * and its last hundred pings. Scope of the subject: the project's number.
 */
export const fleetSchema: ModuleSchema = {
  module: 'fleet',
  migrations: [
    {
      number: 1,
      name: 'devices, pings, ping keys',
      statements(dialect, table) {
        const whole = dialect.integer
        const end = dialect.tableOptions
        const text = sql`text${dialect.byteOrder}`
        return [
          sql`create table if not exists ${table('devices')} (
            project ${whole} not null,
            id ${text} not null,
            uuid text not null unique,
            slug text,
            description text,
            period_ms ${whole} not null,
            grace_ms ${whole} not null,
            schedule text,
            timezone text,
            manual_resume ${whole} not null,
            post_only ${whole} not null,
            version ${whole} not null,
            pings ${whole} not null default 0,
            started_at ${whole},
            started_rid text,
            last_duration_ms ${whole},
            created_at ${whole} not null,
            primary key (project, id))${end}`,
          sql`create index if not exists ${table('devices_by_slug')} on ${table('devices')} (project, slug)`,
          sql`create index if not exists ${table('devices_started')} on ${table('devices')} (started_at)
            where started_at is not null`,
          // A ring: the newest takes the place of the oldest, and nothing has to be removed.
          sql`create table if not exists ${table('pings')} (
            project ${whole} not null,
            device ${text} not null,
            slot ${whole} not null,
            n ${whole} not null,
            kind text not null,
            rid text,
            exit_status ${whole},
            duration_ms ${whole},
            method text not null,
            remote text,
            agent text,
            body text,
            received_at ${whole} not null,
            primary key (project, device, slot))${end}`,
          sql`create index if not exists ${table('pings_by_time')} on ${table('pings')} (received_at)`,
          sql`create table if not exists ${table('ping_keys')} (
            project ${whole} not null primary key,
            hash text not null unique,
            created_at ${whole} not null)${end}`,
        ]
      },
    },
  ],
}
