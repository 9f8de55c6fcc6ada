import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { slot, sql, type Template, template } from '../../port/sql.ts'
import { judged, received, scope, seen, whole } from './conditions.ts'

/** One beat of a subject that is up: there is no outage to end, so that one statement does. */
export function beat(dialect: Dialect, tables: TableNames): Template {
  const at = received(dialect, whole('received'))
  const given = { at, beats: sql`1`, sent: whole('sent'), due: whole('due') }
  return template(
    dialect,
    'liveness.beat',
    sql`update ${tables('subjects')} set ${seen(dialect, given)}
where scope = ${scope} and id = ${slot('id')} and state = 'up'
returning id, state, ${judged(dialect)} as judged_at`,
  )
}
