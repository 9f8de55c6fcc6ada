import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { sql, type Template, template } from '../../port/sql.ts'
import { answered, judged } from './conditions.ts'

/** It was sent. Counts while nobody else has taken the row, even if the lease is over by then. */
export function sent(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'outbox.sent',
    sql`update ${tables('outbox')} set state = 'sent', lease_until = null, finished_at = ${judged(dialect)}
where ${answered}
returning id, state, not_before`,
  )
}
