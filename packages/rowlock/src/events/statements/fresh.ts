import { type Dialect, identifier, type Sql, sql } from '@rowlock/core'
import { slot } from '@rowlock/core/module'

/** The new ones among the events of this run: event_id, issue, at, position (their order in the batch). */
export function freshEvents(dialect: Dialect, events: Sql = slot('events')): Sql {
  return sql`(select s.project, s.event_id, g.value ->> 'i' as issue, cast(g.value ->> 'a' as bigint) as at,
        g.position, g.value
      from ${dialect.objects(events)} as g
      join ${identifier('rowlock_seen')} s
        on s.project = cast(g.value ->> 'p' as bigint) and s.event_id = g.value ->> 'e'
      where s.run = ${slot('run')})`
}
