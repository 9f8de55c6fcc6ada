import { type Dialect, identifier, sql } from '@rowlock/core'
import { instant, slot, type Template, template } from '@rowlock/core/module'

/** Puts an event aside that the database would not take, with the reason. */
export function reject(dialect: Dialect): Template {
  return template(
    dialect,
    'events.reject',
    sql`insert into ${identifier('rowlock_rejected')} (project, event, reason, at)
      values (${slot('project')}, ${slot('event')}, ${slot('reason')}, ${instant(dialect, slot('now'))})
      returning number`,
  )
}
