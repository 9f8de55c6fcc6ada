import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { slot, sql, type Template, template } from '../../port/sql.ts'
import { answered, judged } from './conditions.ts'

/** It will never be sent: the destination refused it for good. */
export function dead(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'outbox.dead',
    sql`update ${tables('outbox')} set state = 'dead', lease_until = null, last_error = ${slot('error')},
  finished_at = ${judged(dialect)}
where ${answered}
returning id, state, not_before`,
  )
}
