import type { Dialect } from '../port/dialect.ts'
import type { ModuleSchema, TableNames } from '../port/schema.ts'
import { raw, type Sql, sql } from '../port/sql.ts'

/** Two tables: the messages, and the destinations that are switched off. */
export const outboxSchema: ModuleSchema = {
  module: 'outbox',
  migrations: [
    { number: 1, name: 'messages and switched-off destinations', statements: first },
    { number: 2, name: 'messages by run', statements: second },
  ],
}

function first(dialect: Dialect, tables: TableNames): readonly Sql[] {
  const outbox = tables('outbox')
  const whole = dialect.integer
  // Byte order: the same on every engine, and the order in which the indexes below are walked.
  const text = sql`text${dialect.byteOrder}`
  const index = (kind: string, name: string, columns: string, where: string) =>
    sql`create ${raw(kind)} if not exists ${tables(`outbox_${name}`)} on ${outbox} (${raw(columns)})${raw(where)}`
  return [
    sql`create table if not exists ${outbox} (
  id ${dialect.identity},
  topic text not null,
  destination ${text} not null,
  dedup_key ${text} not null,
  ordering_key ${text},
  payload text not null,
  not_before ${whole} not null,
  state text not null default 'pending' check (state in ('pending', 'leased', 'sent', 'cancelled', 'dead')),
  token ${whole} not null default 0,
  lease_until ${whole},
  attempts ${whole} not null default 0,
  give_up_at ${whole} not null,
  last_error text,
  run text,
  created_at ${whole} not null,
  finished_at ${whole},
  check ((lease_until is not null) = (state = 'leased')),
  check ((finished_at is not null) = (state in ('sent', 'cancelled', 'dead')))
)${dialect.tableOptions}`,
    index('unique index', 'dedup', 'dedup_key', ''),
    // All that a lease reads: what is unfinished, never what has been sent.
    index('index', 'due', 'destination, not_before, id', ' where finished_at is null'),
    index(
      'index',
      'order',
      'destination, ordering_key, id',
      ' where finished_at is null and ordering_key is not null',
    ),
    index('index', 'leased', 'destination, lease_until', ` where state = 'leased'`),
    index('index', 'dead', 'id', ` where state = 'dead'`),
    index('index', 'finished', 'finished_at, id', ' where finished_at is not null'),
    sql`create table if not exists ${tables('outbox_destinations')} (
  destination ${text} not null primary key,
  disabled_at ${whole} not null,
  reason text
)${dialect.tableOptions}`,
  ]
}

/** What one run enqueued is counted without reading the rest. */
function second(_: Dialect, tables: TableNames): readonly Sql[] {
  return [
    sql`create index if not exists ${tables('outbox_run')} on ${tables('outbox')} (run) where run is not null`,
  ]
}
