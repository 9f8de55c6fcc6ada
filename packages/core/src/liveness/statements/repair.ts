import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { type Sql, sql, type Template, template } from '../../port/sql.ts'
import { chosen, judged, openSince, scope, whole } from './conditions.ts'

/** Up with an open outage that it has not outlived: somebody's own SQL, or a run that was killed. */
export function repairUp(dialect: Dialect, tables: TableNames): Template {
  return repair(dialect, tables, {
    name: 'liveness.repairUp',
    to: sql`'down'`,
    from: sql`s.state in ('new', 'up')`,
    // Beginning at the outages: there are few of them, and many subjects.
    where: sql`${dialect.among(sql`s.id`, sql`select d.subject_id from ${tables('downtimes')} d where d.scope = ${scope} and d.ended_at is null`)}
    and coalesce(s.last_seen, 0) <= ${openSince(tables)}`,
  })
}

/** Down without an open outage: the next check opens one if it is silent. */
export function repairDown(dialect: Dialect, tables: TableNames): Template {
  return repair(dialect, tables, {
    name: 'liveness.repairDown',
    to: sql`case when last_seen is null then 'new' else 'up' end`,
    from: sql`s.state = 'down'`,
    where: sql`${openSince(tables)} is null`,
  })
}

function repair(
  dialect: Dialect,
  tables: TableNames,
  { name, to, from, where }: { name: string; to: Sql; from: Sql; where: Sql },
): Template {
  const picked = chosen(dialect, tables, sql`${from} and ${where}`, true)
  return template(
    dialect,
    name,
    sql`update ${tables('subjects')} set state = ${to}, state_since = ${judged(dialect)}
where scope = ${scope} and id in (select id from (${picked} limit ${whole('limit')}) picked)
returning id`,
  )
}
