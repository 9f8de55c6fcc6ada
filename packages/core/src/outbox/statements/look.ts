import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { slot, sql, type Template, template } from '../../port/sql.ts'

/**
 * What became of a row under this token. An answer whose acknowledgement was lost and that is given
 * once more finds its own earlier answer here.
 */
export function look(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'outbox.look',
    sql`select id, state, not_before from ${tables('outbox')}
where id = cast(${slot('id')} as bigint) and token = cast(${slot('token')} as bigint)`,
  )
}
