import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { sql, type Template, template } from '../../port/sql.ts'
import { chosen, judged, openSince, scope } from './conditions.ts'
import { proposals } from './open.ts'

/** The state of every proposed subject that has an open outage which it has not outlived, whoever opened it. */
export function fall(dialect: Dialect, tables: TableNames): Template {
  const open = sql`${dialect.among(sql`s.id`, sql`select id from ${proposals(dialect)} p`)} and s.state in ('new', 'up')
    and coalesce(s.last_seen, 0) <= ${openSince(tables)}`
  return template(
    dialect,
    'liveness.fall',
    sql`update ${tables('subjects')} set state = 'down', state_since = ${judged(dialect)}
where scope = ${scope} and id in (${chosen(dialect, tables, open, true)}) and state in ('new', 'up')
returning id`,
  )
}
