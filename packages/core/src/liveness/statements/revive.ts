import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { sql, type Template, template } from '../../port/sql.ts'
import { beatFields, beatsGiven } from './beats.ts'
import { chosen, ends, judged, scope, seen } from './conditions.ts'

/**
 * Beats of subjects in any state, the first of two statements: the subject's row before its outage. One that is down is up
 * again, unless its outage began later than the beat.
 */
export function revive(dialect: Dialect, tables: TableNames): Template {
  const subjects = tables('subjects')
  const given = beatFields(dialect)
  const later = sql`exists (select 1 from ${tables('downtimes')} d where d.scope = ${subjects}.scope
    and d.subject_id = ${subjects}.id and d.ended_at is null and not ${ends(given)})`
  const rises = sql`(state = 'new' or (state = 'down' and not ${later}))`
  return template(
    dialect,
    'liveness.revive',
    sql`with ${beatsGiven(dialect)}, picked as (
  ${chosen(dialect, tables, sql`${dialect.among(sql`s.id`, sql`select subject from b`)} and s.deleted_at is null`)}
)
update ${subjects} set ${seen(dialect, given)},
  state_since = case when ${rises} then ${judged(dialect)} else state_since end,
  state = case when ${rises} then 'up' else state end
from b
where ${subjects}.scope = ${scope} and ${subjects}.id = b.subject and ${subjects}.deleted_at is null
  and b.subject in (select id from picked)
returning id, state, ${judged(dialect)} as judged_at`,
  )
}
