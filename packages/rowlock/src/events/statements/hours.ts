import { type Dialect, identifier, sql } from '@rowlock/core'
import { slot, type Template, template } from '@rowlock/core/module'
import { freshEvents } from './fresh.ts'

export const HOUR_MS = 3_600_000

/** Adds this run's new events to the hour in which they happened. */
export function hours(dialect: Dialect): Template {
  const table = identifier('rowlock_hours')
  return template(
    dialect,
    'events.hours',
    sql`insert into ${table} (issue, hour, count)
      select issue, at - at % cast(${slot('hour')} as bigint), count(*)
      from ${freshEvents(dialect)} as fresh
      where true
      group by 1, 2
      order by 1, 2
      on conflict (issue, hour) do update set count = ${table}.count + excluded.count
      returning hour`,
  )
}
