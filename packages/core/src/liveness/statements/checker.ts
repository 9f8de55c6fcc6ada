import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { type Sql, sql, type Template, template } from '../../port/sql.ts'
import { judged, scope, whole, word } from './conditions.ts'

/** What the checker knows of itself, and the instant that this check is judged by. No row comes back of a scope never checked. */
export function checker(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'liveness.checker',
    sql`select c.last_tick, c.rearmed_at, c.suspect_since, c.ticks, n.at as judged_at
from (select ${judged(dialect)} as at) n left join ${tables('checker')} c on c.scope = ${scope}`,
  )
}

/**
 * Subjects whose deadline is past, and the checker's own waking long enough ago; the oldest first, behind `afterDeadline` and
 * `afterId`.
 */
export function due(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'liveness.due',
    sql`select id, state, last_seen, beats, armed_at, down_after_ms, late_after_ms, deadline from ${tables('subjects')}
where ${isDue()} and (deadline, id) > (${whole('afterDeadline')}, ${word('afterId')})
order by deadline, id limit ${whole('limit')}`,
  )
}

/** How many are due in all. */
export function dueCount(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'liveness.dueCount',
    sql`select count(*) as subjects from ${tables('subjects')} where ${isDue()}`,
  )
}

/** How many are up, counted no further than the limit, in the index of deadlines: whoever is up has one. */
export function upCount(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'liveness.upCount',
    sql`select count(*) as subjects from (
  select 1 as one from ${tables('subjects')} where scope = ${scope} and state in ('new', 'up') and deadline is not null and state = 'up' limit ${whole('limit')}
) u`,
  )
}

/** `now` and `rearmedAt` are what the check has read: constants, so that the index answers. */
function isDue(): Sql {
  return sql`scope = ${scope} and state in ('new', 'up') and deadline is not null and deadline <= ${whole('now')}
  and coalesce(${whole('rearmedAt')}, 0) + down_after_ms <= ${whole('now')}`
}

/** Notes that a check took place. Last of its batch: checkers side by side wait for each other here only. */
export function tick(dialect: Dialect, tables: TableNames): Template {
  const table = tables('checker')
  return template(
    dialect,
    'liveness.tick',
    sql`insert into ${table} (scope, last_tick, suspect_since, ticks) values (${scope}, ${judged(dialect)}, ${whole('suspectSince')}, 1)
on conflict (scope) do update set last_tick = ${judged(dialect)}, suspect_since = ${whole('suspectSince')}, ticks = ${table}.ticks + 1
returning ticks`,
  )
}

/** The checker wakes: only the first of those that slept. Whoever gets no row reads everything anew. */
export function wake(dialect: Dialect, tables: TableNames): Template {
  const now = judged(dialect)
  return template(
    dialect,
    'liveness.wake',
    sql`update ${tables('checker')} set last_tick = ${now}, rearmed_at = ${now}, suspect_since = null, ticks = ticks + 1
where scope = ${scope} and last_tick = ${whole('lastTick')}
returning scope`,
  )
}

/** A time in which nobody watched. */
export function blind(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'liveness.blind',
    sql`insert into ${tables('blind')} (scope, subject_id, from_at, to_at, why)
values (${scope}, null, ${whole('lastTick')}, ${judged(dialect)}, 'asleep')
returning id`,
  )
}
