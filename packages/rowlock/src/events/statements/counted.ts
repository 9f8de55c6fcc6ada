import { type Dialect, sql } from '@rowlock/core'
import { type Template, template } from '@rowlock/core/module'
import { freshEvents } from './fresh.ts'

/** Which of the events a run has counted: for a run whose acknowledgement was lost. */
export function counted(dialect: Dialect): Template {
  return template(
    dialect,
    'events.counted',
    sql`select project, event_id from ${freshEvents(dialect)} as counted`,
  )
}
