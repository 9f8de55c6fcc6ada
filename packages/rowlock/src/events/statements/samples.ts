import { type Dialect, identifier, raw, type Sql, sql } from '@rowlock/core'
import { slot, type Template, template } from '@rowlock/core/module'
import { freshEvents } from './fresh.ts'
import type { EventItem } from './see.ts'

/** An event that may be kept: its fields, and its JSON, scrubbed. */
export interface SampleItem extends EventItem {
  readonly d: string
}

/** So many of an issue's last events are kept. */
export const RING = 20

/**
 * Keeps the first event of an issue (slot 0), the last `RING` in a ring that its count turns, and those that
 * reopened it (slots from 100 on). A ring needs no sweep: the newest event takes the oldest one's place.
 */
export function samples(dialect: Dialect): Template {
  const table = identifier('rowlock_samples')
  const issues = identifier('rowlock_issues')
  const from = (columns: Sql, where: Sql) =>
    sql`select issue, ${columns}, event_id, at, event from kept where ${where}`
  return template(
    dialect,
    'events.samples',
    sql`with kept as (
        select f.issue, f.event_id, f.at, f.value ->> 'd' as event, i.count, i.generation,
          case when i.returned_run = i.run then 1 else 0 end as returned,
          row_number() over (partition by f.issue order by f.position desc) as back,
          row_number() over (partition by f.issue order by f.position) as nth,
          case when exists (select 1 from ${table} s where s.issue = f.issue and s.slot = 0) then 1 else 0 end as known
        from ${freshEvents(dialect, slot('samples'))} as f
        join ${issues} i on i.id = f.issue)
      insert into ${table} (issue, slot, event_id, at, event)
      select issue, slot, event_id, at, event from (
        ${from(sql`1 + (count - back) % ${raw(String(RING))} as slot`, sql`back <= ${raw(String(RING))}`)}
        union all ${from(sql`0 as slot`, sql`nth = 1 and known = 0`)}
        union all ${from(sql`100 + generation % 10 as slot`, sql`back = 1 and returned = 1`)}) as chosen
      where true
      order by 1, 2
      on conflict (issue, slot) do update set event_id = excluded.event_id, at = excluded.at, event = excluded.event
      returning slot`,
  )
}
