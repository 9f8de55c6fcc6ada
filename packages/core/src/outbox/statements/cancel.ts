import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { type Sql, slot, sql, type Template, template } from '../../port/sql.ts'
import { again, judged, keyed, locked } from './conditions.ts'

/** Takes back rows that nobody has ever leased: whoever had one may have sent it. */
export function cancel(dialect: Dialect, tables: TableNames): Template {
  return cancelWhere(dialect, tables, keyed(dialect))
}

/** The same for all rows of an ordering key. */
export function cancelOrdered(dialect: Dialect, tables: TableNames): Template {
  return cancelWhere(
    dialect,
    tables,
    sql`destination = ${slot('destination')} and ordering_key = ${slot('orderingKey')} and finished_at is null`,
  )
}

function cancelWhere(dialect: Dialect, tables: TableNames, chosen: Sql): Template {
  const outbox = tables('outbox')
  const untouched = sql`state = 'pending' and token = 0`
  return template(
    dialect,
    'outbox.cancel',
    sql`with picked as (
  select id from ${outbox} where ${chosen} and ${untouched}${locked(dialect)}
)
update ${outbox} set state = 'cancelled', finished_at = ${judged(dialect)}
where id in (select id from picked)${again(dialect, untouched)}
returning id, dedup_key`,
  )
}
