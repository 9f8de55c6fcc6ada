import type { Dialect } from '../port/dialect.ts'
import type { ModuleSchema, TableNames } from '../port/schema.ts'
import { raw, type Sql, sql } from '../port/sql.ts'

/** Who is watched, their outages, the checks, what the checker knows of itself, and times in which nobody watched. */
export const livenessSchema: ModuleSchema = {
  module: 'liveness',
  migrations: [{ number: 1, name: 'subjects, downtimes, checks', statements: first }],
}

function first(dialect: Dialect, tables: TableNames): readonly Sql[] {
  return [...subjects(dialect, tables), ...downtimes(dialect, tables), ...checks(dialect, tables)]
}

function subjects(dialect: Dialect, tables: TableNames): readonly Sql[] {
  const whole = dialect.integer
  // Byte order: pages and locks follow the ids, on every engine in the same order.
  const text = sql`text${dialect.byteOrder}`
  return [
    sql`create table if not exists ${tables('subjects')} (
  scope ${text} not null,
  id ${text} not null,
  label text,
  state text not null default 'new' check (state in ('new', 'up', 'down', 'paused')),
  state_since ${whole} not null,
  last_seen ${whole},
  beats ${whole} not null default 0,
  armed_at ${whole} not null,
  late_after_ms ${whole} not null,
  down_after_ms ${whole} not null,
  deadline ${whole},
  parent_id text,
  tags text not null default '[]',
  maintenance_until ${whole},
  sent_at ${whole},
  created_at ${whole} not null,
  created_run text not null,
  rearmed_run text,
  deleted_at ${whole},
  primary key (scope, id)
)${dialect.tableOptions}`,
    // All that a check reads: what it costs grows with what is due, not with the fleet.
    index(
      tables,
      'subjects_due',
      'subjects',
      'scope, deadline, id',
      `state in ('new', 'up') and deadline is not null`,
    ),
    index(tables, 'subjects_down', 'subjects', 'scope, id', `state = 'down'`),
  ]
}

function downtimes(dialect: Dialect, tables: TableNames): readonly Sql[] {
  const whole = dialect.integer
  const text = sql`text${dialect.byteOrder}`
  return [
    sql`create table if not exists ${tables('downtimes')} (
  id ${text} not null primary key,
  scope ${text} not null,
  subject_id ${text} not null,
  label text,
  started_at ${whole} not null,
  detected_at ${whole} not null,
  ended_at ${whole},
  duration_ms ${whole} check (duration_ms >= 0),
  cause text not null check (cause in ('silent', 'failed', 'never appeared')),
  reason text,
  end_reason text check (end_reason in ('beat', 'removed', 'paused', 'repaired')),
  last_seen_at_open ${whole},
  opened_run text not null,
  closed_run text,
  episode_id text not null,
  suppressed_by text,
  alert text not null default 'new' check (alert in ('new', 'muted', 'mass', 'due', 'told', 'end', 'done')),
  check ((ended_at is null) = (end_reason is null)),
  check ((ended_at is null) = (duration_ms is null))
)${dialect.tableOptions}`,
    // The order matters on PostgreSQL: while its statistics say that the table is empty all of these cost the same, and of
    // equals it takes the one that was made last. A thousand outages at once would be read in full for each of them.
    index(tables, 'downtimes_episode', 'downtimes', 'episode_id'),
    index(tables, 'downtimes_opened', 'downtimes', 'opened_run'),
    index(tables, 'downtimes_closed', 'downtimes', 'closed_run', 'closed_run is not null'),
    index(tables, 'downtimes_ended', 'downtimes', 'ended_at, id', 'ended_at is not null'),
    index(tables, 'downtimes_time', 'downtimes', 'scope, detected_at, id'),
    index(tables, 'downtimes_subject', 'downtimes', 'scope, subject_id, detected_at, id'),
    // The database, not the code, refuses a second open outage.
    sql`create unique index if not exists ${tables('downtimes_open')} on ${tables('downtimes')} (scope, subject_id)
where ended_at is null`,
    index(tables, 'downtimes_alert', 'downtimes', 'scope, id', `alert in ('new', 'mass', 'due', 'end')`),
  ]
}

function checks(dialect: Dialect, tables: TableNames): readonly Sql[] {
  const whole = dialect.integer
  const counts = [
    'checked',
    'newly_down',
    'recovered',
    'opened',
    'closed',
    'alerts_queued',
    'raced',
    'suppressed',
    'repaired',
  ]
  const columns = counts.map((name) => `  ${name} ${whole.pieces.join('')} not null,`).join('\n')
  return [
    sql`create table if not exists ${tables('checks')} (
  run text not null primary key,
  scope text${dialect.byteOrder} not null,
  at ${whole} not null,
${raw(columns)}
  verdict text not null
)${dialect.tableOptions}`,
    index(tables, 'checks_time', 'checks', 'scope, at, run'),
    index(tables, 'checks_at', 'checks', 'at, run'),
    sql`create table if not exists ${tables('checker')} (
  scope text${dialect.byteOrder} not null primary key,
  last_tick ${whole} not null,
  rearmed_at ${whole},
  suspect_since ${whole},
  ticks ${whole} not null default 1
)${dialect.tableOptions}`,
    sql`create table if not exists ${tables('blind')} (
  id ${dialect.identity},
  scope text${dialect.byteOrder} not null,
  subject_id text,
  from_at ${whole} not null,
  to_at ${whole} not null,
  why text not null
)${dialect.tableOptions}`,
    index(tables, 'blind_time', 'blind', 'scope, to_at'),
  ]
}

function index(tables: TableNames, name: string, table: string, columns: string, where?: string): Sql {
  const condition = where === undefined ? '' : ` where ${where}`
  return sql`create index if not exists ${tables(name)} on ${tables(table)} (${raw(columns)})${raw(condition)}`
}
