import { type Dialect, identifier, raw, type Sql, sql } from '@rowlock/core'
import { slot, type Template, template } from '@rowlock/core/module'

/** An event that may be kept. */
export interface SampleItem {
  /** Project. */
  readonly p: number
  /** Event id. */
  readonly e: string
  /** Its JSON, scrubbed. */
  readonly d: string
  /** Its place among its issue's events of this run, counted from 1 at the first. */
  readonly n: number
  /** The same, counted from 1 at the last. */
  readonly b: number
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
  const ring = raw(String(RING))
  const from = (place: Sql, where: Sql) =>
    sql`select issue, ${place} as slot, event_id, at, event from kept where ${where}`
  return template(
    dialect,
    'events.samples',
    sql`with kept as materialized (
        select i.id as issue, s.event_id, s.at, g.value ->> 'd' as event, i.count, i.generation,
          cast(g.value ->> 'n' as bigint) as nth, cast(g.value ->> 'b' as bigint) as back,
          case when i.returned_run = i.run then 1 else 0 end as returned
        from ${dialect.objects(slot('samples'))} as g
        join ${identifier('rowlock_seen')} s
          on s.project = cast(g.value ->> 'p' as bigint) and s.event_id = g.value ->> 'e'
        join ${issues} i on i.id = s.issue
        where s.run = ${slot('run')})
      insert into ${table} (issue, slot, event_id, at, event)
      select issue, slot, event_id, at, event from (
        ${from(sql`1 + (count - back) % ${ring}`, sql`back <= ${ring}`)}
        union all ${from(sql`0`, sql`nth = 1 and not exists (select 1 from ${table} s where s.issue = kept.issue and s.slot = 0)`)}
        union all ${from(sql`100 + generation % 10`, sql`back = 1 and returned = 1`)}) as chosen
      where true
      order by 1, 2
      on conflict (issue, slot) do update set event_id = excluded.event_id, at = excluded.at, event = excluded.event
      returning slot`,
  )
}
