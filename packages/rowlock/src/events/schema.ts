import { sql } from '@rowlock/core'
import { type ModuleSchema, perDialect } from '@rowlock/core/module'

/**
 * Issues and what is kept about their events. The claim lives in the issue's own row, so that
 * counting an event and winning its window are statements of one batch.
 */
export const eventsSchema: ModuleSchema = {
  module: 'events',
  migrations: [
    {
      number: 1,
      name: 'issues, seen events, samples, hourly counts',
      statements(dialect, table) {
        const whole = dialect.integer
        const end = dialect.tableOptions
        // Rows that are found by their whole key only, and often rewritten: one tree instead of two.
        const keyed = perDialect(dialect, { sqlite: sql`${end}, without rowid`, postgres: end })
        return [
          // The id is made of project and fingerprint, so that a batch knows it before the row exists.
          sql`create table if not exists ${table('issues')} (
            id text not null primary key,
            project ${whole} not null,
            fingerprint text not null,
            fingerprint_version ${whole} not null,
            source text not null,
            level text not null,
            title text not null,
            state text not null default 'open',
            generation ${whole} not null default 1,
            resolved_at ${whole},
            snoozed_until ${whole},
            first_seen ${whole} not null,
            last_seen ${whole} not null,
            count ${whole} not null,
            run text not null,
            returned_run text,
            won_count ${whole} not null default 0,
            won_count_before ${whole} not null default 0,
            claimed_at ${whole},
            expires_at ${whole},
            token ${whole},
            holder text,
            classification text,
            external_id text,
            created_at ${whole} not null)${end}`,
          sql`create index if not exists ${table('issues_by_time')} on ${table('issues')} (last_seen, id)`,
          // Numbered, so that the oldest can be removed in small steps without an index on the time.
          sql`create table if not exists ${table('seen')} (
            number ${dialect.identity},
            project ${whole} not null,
            event_id text not null,
            issue text not null,
            at ${whole} not null,
            run text not null,
            seen_at ${whole} not null,
            unique (project, event_id))${end}`,
          // Slot 0 is the first event, 1 to 20 a ring of the last, from 100 on those that reopened the issue.
          sql`create table if not exists ${table('samples')} (
            issue text not null,
            slot ${whole} not null,
            event_id text not null,
            at ${whole} not null,
            event text not null,
            primary key (issue, slot))${keyed}`,
          sql`create table if not exists ${table('hours')} (
            issue text not null,
            hour ${whole} not null,
            count ${whole} not null,
            primary key (issue, hour))${keyed}`,
          sql`create index if not exists ${table('hours_by_time')} on ${table('hours')} (hour)`,
          sql`create table if not exists ${table('rejected')} (
            number ${dialect.identity},
            project ${whole} not null,
            event text not null,
            reason text not null,
            at ${whole} not null)${end}`,
        ]
      },
    },
  ],
}
