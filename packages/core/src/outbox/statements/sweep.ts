import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { slot, sql, type Template, template } from '../../port/sql.ts'
import { again, judgedOnce } from './conditions.ts'

/** Removes a step of rows that were finished long ago. What is unfinished has no finished_at. */
export function sweep(dialect: Dialect, tables: TableNames): Template {
  const outbox = tables('outbox')
  const old = sql`finished_at < ${judgedOnce(dialect)} - cast(${slot('retention')} as bigint)`
  return template(
    dialect,
    'outbox.sweep',
    sql`with picked as (
  select id from ${outbox} where ${old} order by finished_at, id
  limit cast(${slot('step')} as bigint)${dialect.lockFreeRows}
)
delete from ${outbox} where id in (select id from picked)${again(dialect, old)}
returning id`,
  )
}
