import { type Dialect, instant } from './dialect.ts'
import type { Driver, Statement } from './driver.ts'
import { type Duration, duration, instantOrNull, wholeNumber } from './input.ts'
import { DEFAULT_PREFIX, type ModuleSchema } from './schema.ts'
import { identifier, type Sql, slot, sql, template } from './sql.ts'

/** One row for each idempotency key whose batch was carried out: it is written in that batch. */
export const markersSchema: ModuleSchema = {
  module: 'markers',
  migrations: [
    {
      number: 1,
      name: 'markers',
      statements: ({ integer, tableOptions }, tables) => [
        sql`create table if not exists ${tables('markers')} (
  key text not null primary key,
  created_at ${integer} not null
)${tableOptions}`,
        sql`create index if not exists ${tables('markers_created_at')} on ${tables('markers')} (created_at)`,
      ],
    },
  ],
}

/** Gives one row when the key is new, and none when its batch has been carried out. */
export function mark(dialect: Dialect, key: string, options: { prefix?: string; now?: number }): Statement {
  const now = instantOrNull('now', options.now)
  return template(
    dialect,
    'atomic.mark',
    sql`insert into ${table(options.prefix)} (key, created_at)
values (${slot('key')}, ${instant(dialect, slot('now'))})
on conflict (key) do nothing
returning key`,
  ).with({ key, now }, 1)
}

export interface SweepMarkersOptions {
  /** How long a key is remembered. Default "7d". A call repeated later than that is carried out anew. */
  readonly retention?: Duration
  /** How many are removed at most. Default 1000. */
  readonly limit?: number
  readonly prefix?: string
  /** The instant that judges, in ms. Default: the database's clock. */
  readonly now?: number
}

/** Forgets idempotency keys that are older than `retention`. `more`: the limit was reached, call again. */
export async function sweepMarkers(
  driver: Driver,
  options: SweepMarkersOptions = {},
): Promise<{ removed: number; more: boolean }> {
  const { dialect } = driver
  const limit = wholeNumber('limit', options.limit ?? 1000, 1, 100_000)
  const old = sql`${instant(dialect, slot('now'))} - ${slot('retention')}`
  const markers = table(options.prefix)
  const sweep = template(
    dialect,
    'atomic.sweep',
    sql`delete from ${markers} where key in (
  select key from ${markers} where created_at < ${old} order by created_at limit ${slot('limit')}
) returning key`,
  )
  const values = {
    now: instantOrNull('now', options.now),
    retention: duration('retention', options.retention ?? '7d'),
    limit,
  }
  const removed = (await driver.execute(sweep.with(values))).length
  return { removed, more: removed === limit }
}

function table(prefix = DEFAULT_PREFIX): Sql {
  return identifier(`${prefix}markers`)
}
