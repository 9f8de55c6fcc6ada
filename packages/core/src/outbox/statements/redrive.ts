import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { type Sql, slot, sql, type Template, template } from '../../port/sql.ts'
import { again, judged, keyed, locked } from './conditions.ts'

/** Dead rows start anew: due at once, no attempts counted, as long to live as a new one. */
export function redrive(dialect: Dialect, tables: TableNames): Template {
  return redriveWhere(dialect, tables, sql`${keyed(dialect)} and state = 'dead'${locked(dialect)}`)
}

/** The same for the oldest dead rows of a destination. */
export function redriveDestination(dialect: Dialect, tables: TableNames): Template {
  return redriveWhere(
    dialect,
    tables,
    sql`destination = ${slot('destination')} and state = 'dead' order by id limit cast(${slot('limit')} as bigint)${dialect.lockRows}`,
  )
}

function redriveWhere(dialect: Dialect, tables: TableNames, chosen: Sql): Template {
  const outbox = tables('outbox')
  const now = judged(dialect)
  return template(
    dialect,
    'outbox.redrive',
    sql`with picked as (
  select id from ${outbox} where ${chosen}
)
update ${outbox} set state = 'pending', attempts = 0, finished_at = null, not_before = ${now},
  give_up_at = ${now} + cast(${slot('maxAge')} as bigint)
where id in (select id from picked)${again(dialect, sql`state = 'dead'`)}
returning id, dedup_key`,
  )
}
