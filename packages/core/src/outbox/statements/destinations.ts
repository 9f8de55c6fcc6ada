import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { slot, sql, type Template, template } from '../../port/sql.ts'
import { judged } from './conditions.ts'

/** Switches a destination off; the first reason and time stay until it is switched on again. */
export function disable(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'outbox.disable',
    sql`insert into ${tables('outbox_destinations')} (destination, disabled_at, reason)
select ${slot('destination')}, ${judged(dialect)}, cast(${slot('reason')} as text)
where true
on conflict (destination) do nothing
returning destination`,
  )
}

/** Switches a destination on again. */
export function enable(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'outbox.enable',
    sql`delete from ${tables('outbox_destinations')} where destination = ${slot('destination')} returning destination`,
  )
}

/** The destinations that are switched off. */
export function disabled(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'outbox.disabled',
    sql`select destination, disabled_at, reason from ${tables('outbox_destinations')} order by destination`,
  )
}
