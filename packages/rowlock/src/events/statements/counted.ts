import { type Dialect, identifier, sql } from '@rowlock/core'
import { slot, type Template, template } from '@rowlock/core/module'

/** Which of the events an earlier run has counted: for a run whose acknowledgement was lost. */
export function counted(dialect: Dialect): Template {
  return template(
    dialect,
    'events.counted',
    sql`select s.project, s.event_id from ${dialect.objects(slot('events'))} as g
      join ${identifier('rowlock_seen')} s
        on s.project = cast(g.value ->> 'p' as bigint) and s.event_id = g.value ->> 'e'
      where s.run = ${slot('run')}`,
  )
}
