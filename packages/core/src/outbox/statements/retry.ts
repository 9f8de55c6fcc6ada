import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { slot, sql, type Template, template } from '../../port/sql.ts'
import { answered, judged } from './conditions.ts'

/** The attempt failed: pending again after a delay, or dead when it was the last one. */
export function retry(dialect: Dialect, tables: TableNames): Template {
  const now = judged(dialect)
  const last = sql`(attempts >= cast(${slot('attempts')} as bigint) or give_up_at <= ${now})`
  return template(
    dialect,
    'outbox.retry',
    sql`update ${tables('outbox')} set
  state = case when ${last} then 'dead' else 'pending' end,
  not_before = case when ${last} then not_before else ${now} + cast(${slot('delay')} as bigint) end,
  finished_at = case when ${last} then ${now} end,
  lease_until = null,
  last_error = ${slot('error')}
where ${answered}
returning id, state, not_before`,
  )
}
