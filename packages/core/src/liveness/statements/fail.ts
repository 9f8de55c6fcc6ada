import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { slot, sql, type Template, template } from '../../port/sql.ts'
import { chosen, judged, scope, whole, word } from './conditions.ts'
import { episode } from './open.ts'

/**
 * A sign of life that says it is not well: counted as a beat, which locks the row for what follows. Of a subject that is down
 * it is not the last that was seen, or the next check would take it for one that is back.
 */
export function failing(dialect: Dialect, tables: TableNames): Template {
  const now = judged(dialect)
  const due = whole('due')
  return template(
    dialect,
    'liveness.failing',
    sql`update ${tables('subjects')} set beats = beats + 1,
  last_seen = case when state = 'down' then last_seen else ${dialect.greater(sql`coalesce(last_seen, ${now})`, now)} end,
  deadline = case when ${due} is null or state = 'paused' then deadline else ${due} + down_after_ms end
where scope = ${scope} and id = ${slot('id')} and deleted_at is null
returning id, state, ${now} as judged_at`,
  )
}

/** Opens its outage at once, unless one is open. */
export function openFailed(dialect: Dialect, tables: TableNames): Template {
  const now = judged(dialect)
  const downtimes = tables('downtimes')
  return template(
    dialect,
    'liveness.openFailed',
    sql`insert into ${downtimes} (id, scope, subject_id, label, started_at, detected_at, cause, reason, last_seen_at_open,
  opened_run, episode_id)
select ${word('downtime')}, s.scope, s.id, s.label, ${now}, ${now}, 'failed', ${word('reason')}, s.last_seen,
  ${word('run')}, ${episode(tables, { downtime: word('downtime'), started: now })}
from ${tables('subjects')} s
where s.scope = ${scope} and s.id = ${slot('id')} and s.state in ('new', 'up')
on conflict (scope, subject_id) where ended_at is null do nothing
returning id, subject_id`,
  )
}

/** Brings its state in line with its open outage. */
export function fallOne(dialect: Dialect, tables: TableNames): Template {
  const open = sql`s.id = ${slot('id')} and s.state in ('new', 'up') and exists (select 1 from ${tables('downtimes')} d
    where d.scope = s.scope and d.subject_id = s.id and d.ended_at is null)`
  return template(
    dialect,
    'liveness.fallOne',
    sql`update ${tables('subjects')} set state = 'down', state_since = ${judged(dialect)}
where scope = ${scope} and id in (${chosen(dialect, tables, open)}) and state in ('new', 'up')
returning id`,
  )
}
