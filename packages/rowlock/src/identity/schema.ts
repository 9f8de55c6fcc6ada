import { sql } from '@rowlock/core'
import type { ModuleSchema } from '@rowlock/core/module'

/** Who may do what: projects, the named tokens of people and machines, and the page's sessions. */
export const identitySchema: ModuleSchema = {
  module: 'identity',
  migrations: [
    {
      number: 1,
      name: 'projects, tokens and sessions',
      statements(dialect, table) {
        const whole = dialect.integer
        const end = dialect.tableOptions
        return [
          sql`create table if not exists ${table('projects')} (
            id ${dialect.identity},
            name text not null unique,
            ingest_key text not null unique,
            window_ms ${whole} not null,
            created_at ${whole} not null)${end}`,
          sql`create table if not exists ${table('tokens')} (
            id ${dialect.identity},
            name text not null unique,
            hash text not null unique,
            scopes text not null,
            project ${whole} references ${table('projects')} (id),
            created_at ${whole} not null,
            revoked_at ${whole})${end}`,
          sql`create table if not exists ${table('sessions')} (
            hash text not null primary key,
            token ${whole} not null references ${table('tokens')} (id),
            created_at ${whole} not null,
            expires_at ${whole} not null)${end}`,
        ]
      },
    },
  ],
}
