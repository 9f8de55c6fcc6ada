import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { sql, type Template, template } from '../../port/sql.ts'
import { beatFields, beatsGiven } from './beats.ts'
import { chosen, judged, scope, seen } from './conditions.ts'

/** Many beats of subjects that are up. */
export function beatMany(dialect: Dialect, tables: TableNames): Template {
  const subjects = tables('subjects')
  const up = sql`${dialect.among(sql`s.id`, sql`select subject from b`)} and s.state = 'up'`
  return template(
    dialect,
    'liveness.beatMany',
    sql`with ${beatsGiven(dialect)}, picked as (
  ${chosen(dialect, tables, up)}
)
update ${subjects} set ${seen(dialect, beatFields(dialect))}
from b
where ${subjects}.scope = ${scope} and ${subjects}.id = b.subject and ${subjects}.state = 'up'
  and b.subject in (select id from picked)
returning id, state, ${judged(dialect)} as judged_at`,
  )
}
