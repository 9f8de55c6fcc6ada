import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { slot, sql, type Template, template } from '../../port/sql.ts'
import { judged, scope } from './conditions.ts'

/** A subject's row, for a verb that wrote none: is it so already, or is it not there? */
export function look(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'liveness.look',
    sql`select id, state, created_at, state_since, ${judged(dialect)} as judged_at from ${tables('subjects')}
where scope = ${scope} and id = ${slot('id')} and deleted_at is null`,
  )
}
