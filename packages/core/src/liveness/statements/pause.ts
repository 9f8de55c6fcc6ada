import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { slot, sql, type Template, template } from '../../port/sql.ts'
import { judged, scope } from './conditions.ts'

/** Nothing is expected of it any more. */
export function pause(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'liveness.pause',
    sql`update ${tables('subjects')} set state = 'paused', state_since = ${judged(dialect)}, deadline = null
where scope = ${scope} and id = ${slot('id')} and deleted_at is null and state <> 'paused'
returning id`,
  )
}

/** The time of its pause, about which nothing is known. In front of `resume`, which forgets when it began. */
export function blindPause(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'liveness.blindPause',
    sql`insert into ${tables('blind')} (scope, subject_id, from_at, to_at, why)
select scope, id, state_since, ${judged(dialect)}, 'paused' from ${tables('subjects')}
where scope = ${scope} and id = ${slot('id')} and deleted_at is null and state = 'paused'${dialect.lockRows}
returning id`,
  )
}

/** Beats are expected again, from now on. */
export function resume(dialect: Dialect, tables: TableNames): Template {
  const now = judged(dialect)
  return template(
    dialect,
    'liveness.resume',
    sql`update ${tables('subjects')} set state = case when last_seen is null then 'new' else 'up' end, state_since = ${now},
  armed_at = ${now}, deadline = case when last_seen is null then null else ${dialect.greater(sql`last_seen`, now)} + down_after_ms end
where scope = ${scope} and id = ${slot('id')} and deleted_at is null and state = 'paused'
returning id`,
  )
}

/** It is gone: kept as a row, so that its history keeps its name. */
export function remove(dialect: Dialect, tables: TableNames): Template {
  const now = judged(dialect)
  return template(
    dialect,
    'liveness.remove',
    sql`update ${tables('subjects')} set state = 'paused', state_since = ${now}, deadline = null, deleted_at = ${now}
where scope = ${scope} and id = ${slot('id')} and deleted_at is null
returning id`,
  )
}
