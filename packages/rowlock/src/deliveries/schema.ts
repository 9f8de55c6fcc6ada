import { sql } from '@rowlock/core'
import type { ModuleSchema } from '@rowlock/core/module'

/** Where the work behind a win goes. What is on its way there are rows of the outbox. */
export const deliveriesSchema: ModuleSchema = {
  module: 'deliveries',
  migrations: [
    {
      number: 1,
      name: 'destinations',
      statements(dialect, table) {
        const whole = dialect.integer
        return [
          sql`create table if not exists ${table('destinations')} (
            id text not null primary key,
            project ${whole} not null,
            kind text not null,
            url text not null,
            secret text not null,
            enabled ${whole} not null default 1,
            disabled_reason text,
            created_at ${whole} not null,
            removed_at ${whole})${dialect.tableOptions}`,
          sql`create index if not exists ${table('destinations_by_project')}
            on ${table('destinations')} (project)`,
        ]
      },
    },
    {
      number: 2,
      name: 'kinds of destinations, and what each gets',
      statements(dialect, table) {
        // A table of its own, since a column cannot be added "if not exists" everywhere. No row: all defaults.
        return [
          sql`create table if not exists ${table('destination_settings')} (
            destination text not null primary key,
            name text,
            about text check (about in ('issues', 'outages')),
            tags text not null default '[]',
            settings text not null default '{}')${dialect.tableOptions}`,
        ]
      },
    },
  ],
}
