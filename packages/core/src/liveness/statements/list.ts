import type { Dialect } from '../../port/dialect.ts'
import type { Statement } from '../../port/driver.ts'
import type { TableNames } from '../../port/schema.ts'
import { join, raw, type Sql, sql, statement } from '../../port/sql.ts'
import type { DowntimesOptions, StatusOptions, UptimeOptions } from '../types.ts'

interface Given {
  readonly scope: string
  readonly limit: number
}

/** A page of subjects in the order of their ids. Only the filters that were given stand in the text. */
export function subjects(
  dialect: Dialect,
  tables: TableNames,
  { state, tag, ids, search, after }: StatusOptions,
  { scope, limit, now }: Given & { readonly now: number | null },
): Statement {
  const judged = sql`coalesce(cast(${now} as bigint), ${dialect.clock})`
  const late = sql`(s.state = 'up' and s.deadline is not null and ${judged} >= s.deadline - s.down_after_ms + s.late_after_ms)`
  const filters: Sql[] = [sql`s.scope = ${scope}`, sql`s.deleted_at is null`]
  if (state === 'late') filters.push(late)
  else if (state !== undefined) filters.push(sql`s.state = ${raw(`'${state}'`)}`)
  if (tag !== undefined)
    filters.push(sql`exists (select 1 from ${dialect.texts(raw('s.tags'))} as t where t.value = ${tag})`)
  if (ids !== undefined)
    filters.push(
      dialect.among(sql`s.id`, sql`select value from ${dialect.texts(sql`${JSON.stringify(ids)}`)} as i`),
    )
  if (search !== undefined)
    filters.push(sql`(${contains(dialect, sql`s.id`, search)} or ${contains(dialect, sql`s.label`, search)})`)
  if (after !== undefined) filters.push(sql`s.id > ${after}`)
  return statement(
    dialect,
    sql`select s.id, s.label, s.state, s.state_since, s.last_seen, s.beats, s.late_after_ms, s.down_after_ms, s.deadline,
  case when ${late} then 1 else 0 end as late, s.parent_id, s.tags, s.maintenance_until, s.sent_at
from ${tables('subjects')} s where ${join(filters, ' and ')}
order by s.id limit cast(${limit} as bigint)`,
    { name: 'liveness.status' },
  )
}

/** A page of outages, newest first. */
export function downtimes(
  dialect: Dialect,
  tables: TableNames,
  options: DowntimesOptions,
  { scope, limit }: Given,
): Statement {
  const { subject, open, from, to, episode, before } = options
  const table = tables('downtimes')
  const filters: Sql[] = [sql`d.scope = ${scope}`]
  if (subject !== undefined) filters.push(sql`d.subject_id = ${subject}`)
  if (open !== undefined) filters.push(open ? sql`d.ended_at is null` : sql`d.ended_at is not null`)
  if (from !== undefined) filters.push(sql`(d.ended_at is null or d.ended_at > cast(${from} as bigint))`)
  if (to !== undefined) filters.push(sql`d.started_at < cast(${to} as bigint)`)
  if (episode !== undefined) filters.push(sql`d.episode_id = ${episode}`)
  if (before !== undefined)
    filters.push(
      sql`(d.detected_at, d.id) < (select b.detected_at, b.id from ${table} b where b.id = ${before})`,
    )
  return statement(
    dialect,
    sql`select d.id, d.subject_id, d.label, d.started_at, d.detected_at, d.ended_at, d.duration_ms, d.cause, d.reason, d.end_reason,
  d.episode_id, d.suppressed_by
from ${table} d where ${join(filters, ' and ')}
order by d.detected_at desc, d.id desc limit cast(${limit} as bigint)`,
    { name: 'liveness.downtimes' },
  )
}

/** The outages and blind times of a subject that touch a span: `down` 1 or 0, from, to (NULL while it lasts). */
export function spans(
  dialect: Dialect,
  tables: TableNames,
  { id, scope, from, to }: UptimeOptions & { readonly id: string; readonly scope: string },
): Statement {
  const touches = (start: string, end: string) =>
    sql`${raw(start)} < cast(${to} as bigint) and (${raw(end)} is null or ${raw(end)} > cast(${from} as bigint))`
  return statement(
    dialect,
    sql`select 1 as down, started_at as from_at, ended_at as to_at from ${tables('downtimes')}
where scope = ${scope} and subject_id = ${id} and ${touches('started_at', 'ended_at')}
union all select 0, from_at, to_at from ${tables('blind')}
where scope = ${scope} and (subject_id is null or subject_id = ${id}) and ${touches('from_at', 'to_at')}`,
    { name: 'liveness.spans' },
  )
}

/**
 * Without regard to the case of a to z, the same on every engine. Not LIKE: D1 takes patterns of at most 50 bytes, and % and _
 * would have to be escaped.
 */
function contains(dialect: Dialect, column: Sql, part: string): Sql {
  const lower = (given: Sql) => sql`lower((${given})${dialect.byteOrder})`
  return sql`replace(${lower(column)}, ${lower(sql`cast(${part} as text)`)}, '') <> ${lower(column)}`
}
