import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { type Sql, sql, type Template, template } from '../../port/sql.ts'
import { flapping, judged, messagesOf, scope } from './conditions.ts'

/**
 * Whether each new outage is told, or why not. Behind the outages of the whole batch, so that a parent that falls together
 * with its children mutes them. Of all new ones in the scope, not only this run's: what a killed run left is decided here.
 */
export function decide(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'liveness.decide',
    sql`update ${tables('downtimes')} set suppressed_by = r.reason, alert = case when r.reason is null then 'due' else 'muted' end
from (select d.id, ${reason(dialect, tables)} as reason from ${tables('downtimes')} d
  where d.scope = ${scope} and d.alert = 'new' and d.ended_at is null) r
where ${tables('downtimes')}.id = r.id and ${tables('downtimes')}.alert = 'new'
returning ${tables('downtimes')}.id, suppressed_by, opened_run`,
  )
}

function reason(dialect: Dialect, tables: TableNames): Sql {
  const subjects = tables('subjects')
  return sql`case
    when exists (select 1 from ${subjects} s where s.scope = d.scope and s.id = d.subject_id
      and s.maintenance_until > ${judged(dialect)}) then 'maintenance'
    when exists (select 1 from ${tables('downtimes')} p where p.scope = d.scope and p.ended_at is null and p.subject_id =
      (select s.parent_id from ${subjects} s where s.scope = d.scope and s.id = d.subject_id)) then 'parent'
    when ${flapping(dialect, tables)} then 'flapping'
    when exists (select 1 from ${tables('downtimes')} e join ${tables('outbox')} o on ${messagesOf('down', 'o', 'e')}
      where e.episode_id = d.episode_id and e.id <> d.id and o.state <> 'cancelled') then 'episode' end`
}

/** Outages that were muted while their subject was flapping, and which last: they are told now. */
export function unmute(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'liveness.unmute',
    sql`update ${tables('downtimes')} as d set suppressed_by = null, alert = 'due'
where d.scope = ${scope} and d.ended_at is null and d.suppressed_by = 'flapping' and not ${flapping(dialect, tables)}
returning id`,
  )
}
