import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { type Sql, sql, type Template, template } from '../../port/sql.ts'
import { chosen, judged, openSince, scope, whole } from './conditions.ts'

/** Subjects that are down though they were seen since: by a beat of somebody else's. */
export function returned(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'liveness.returned',
    sql`select s.id, s.state, s.last_seen, s.beats, s.armed_at, s.down_after_ms, s.late_after_ms, s.deadline,
  ${openSince(tables)} as down_since
from ${tables('subjects')} s
where s.scope = ${scope} and s.state = 'down' and ${isBack(dialect, tables)}
order by s.id limit ${whole('limit')}`,
  )
}

/** Brings their states in line; their outages are closed behind this. */
export function rise(dialect: Dialect, tables: TableNames): Template {
  const back = sql`s.state = 'down' and ${isBack(dialect, tables)}`
  return template(
    dialect,
    'liveness.rise',
    sql`update ${tables('subjects')} set state = 'up', state_since = ${judged(dialect)},
  deadline = ${dialect.greater(sql`coalesce(deadline, 0)`, sql`last_seen + down_after_ms`)}
where scope = ${scope} and id in (select id from (${chosen(dialect, tables, back, true)} limit ${whole('limit')}) picked) and state = 'down'
returning id`,
  )
}

/** Seen since its outage began, and not too long ago by now. */
function isBack(dialect: Dialect, tables: TableNames): Sql {
  const expected = dialect.greater(sql`coalesce(s.deadline, 0)`, sql`s.last_seen + s.down_after_ms`)
  return sql`s.last_seen is not null and ${expected} > ${judged(dialect)} and s.last_seen > coalesce(${openSince(tables)}, s.armed_at)`
}
