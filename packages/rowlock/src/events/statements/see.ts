import { type Dialect, identifier, sql } from '@rowlock/core'
import { instant, slot, type Template, template } from '@rowlock/core/module'

/** The fields of one element of the `events` parameter of this folder's statements. */
export interface EventItem {
  /** Project. */
  readonly p: number
  /** Event id. */
  readonly e: string
  /** Issue. */
  readonly i: string
  /** When it happened. */
  readonly a: number
}

/**
 * Notes which events are new. The run marks this attempt and no other: what the later statements of
 * the batch count are the rows with its mark, so an event that was counted before adds nothing.
 */
export function see(dialect: Dialect): Template {
  return template(
    dialect,
    'events.see',
    sql`insert into ${identifier('rowlock_seen')} (project, event_id, issue, at, run, seen_at)
      select cast(value ->> 'p' as bigint), value ->> 'e', value ->> 'i', cast(value ->> 'a' as bigint),
        ${slot('run')}, ${instant(dialect, slot('now'))}
      from ${dialect.objects(slot('events'))} as given
      where true
      order by 1, 2
      on conflict (project, event_id) do nothing
      returning project, event_id`,
  )
}
