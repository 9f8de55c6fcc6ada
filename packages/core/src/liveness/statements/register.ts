import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { join, raw, type Sql, slot, sql, type Template, template } from '../../port/sql.ts'
import { chosen, judged, scope, whole, word } from './conditions.ts'

/** One element of the `subjects` parameter. What is left out stays as it is. */
export interface SubjectItem {
  readonly id: string
  readonly label?: string | null
  readonly downAfter?: number
  readonly lateAfter?: number
  readonly appear?: number
  readonly parent?: string | null
  /** JSON text of an array. */
  readonly tags?: string
  readonly maintenance?: number | null
  readonly due?: number | null
  /** The names of the fields that were given, each between commas: `,label,tags,`. */
  readonly given: string
}

/** Makes the subjects that are not there; one that was removed begins again. In the order of the ids, in which rows are locked. */
export function register(dialect: Dialect, tables: TableNames): Template {
  const subjects = tables('subjects')
  const now = judged(dialect)
  const anew = COLUMNS.filter((column) => column !== 'scope' && column !== 'id').map(
    (column) => sql`${raw(column)} = excluded.${raw(column)}`,
  )
  return template(
    dialect,
    'liveness.register',
    sql`insert into ${subjects} (${raw(COLUMNS.join(', '))})
select ${scope}, id, label, 'new', ${now}, null, null, 0, ${now}, coalesce(late_after, ${whole('lateAfter')},
  down_after, ${whole('downAfter')}), coalesce(down_after, ${whole('downAfter')}), ${now} + appear, parent,
  coalesce(tags, '[]'), maintenance, ${now}, ${word('run')}, null
from (${subjectsGiven(dialect)}) as g
where true
order by id${dialect.byteOrder}
on conflict (scope, id) do update set ${join(anew)}, deleted_at = null
where ${subjects}.deleted_at is not null
returning id`,
  )
}

/**
 * Changes what was given of those that were there; rows that are so already do not come back. A threshold that changes
 * starts the clock anew, so that saving a form never pages anybody.
 */
export function change(dialect: Dialect, tables: TableNames): Template {
  const subjects = tables('subjects')
  const old = (column: string) => sql`${subjects}.${raw(column)}`
  const has = (field: string) => sql`g.given like ${raw(`'%,${field},%'`)}`
  const kept = (column: string, field: string, value: string) =>
    sql`case when ${has(field)} then g.${raw(value)} else ${old(column)} end`
  const differs = ([column, field, value]: readonly [string, string, string]) =>
    sql`(${has(field)} and not (${dialect.same(old(column), sql`g.${raw(value)}`)}))`
  const rearmed = sql`(${join(thresholds.map(differs), ' or ')})`
  const armed = sql`case when ${rearmed} then ${judged(dialect)} else ${old('armed_at')} end`
  const since = dialect.greater(sql`coalesce(${old('last_seen')}, 0)`, armed)
  const expected = dialect.greater(since, sql`coalesce(g.due, 0)`)
  return template(
    dialect,
    'liveness.change',
    sql`with g as materialized (${subjectsGiven(dialect)}), picked as (
  ${chosen(dialect, tables, sql`${dialect.among(sql`s.id`, sql`select id from g`)} and s.deleted_at is null`)}
)
update ${subjects} set
  ${join(
    [...plain, ...thresholds].map(
      ([column, field, value]) => sql`${raw(column)} = ${kept(column, field, value)}`,
    ),
    ',\n  ',
  )},
  armed_at = ${armed},
  rearmed_run = case when ${rearmed} then ${word('run')} else ${old('rearmed_run')} end,
  deadline = case when ${old('state')} in ('new', 'paused') or not (${rearmed} or ${has('due')}) then ${old('deadline')}
    else ${expected} + ${kept('down_after_ms', 'downAfter', 'down_after')} end
from g
where ${old('scope')} = ${scope} and ${old('id')} = g.id and g.id in (select id from picked)
  and ${old('deleted_at')} is null and ${old('created_run')} <> ${word('run')}
  and (${join([...plain, ...thresholds].map(differs), ' or ')} or ${has('due')})
returning ${old('id')}, case when rearmed_run = ${word('run')} then 1 else 0 end as rearmed`,
  )
}

const COLUMNS = [
  'scope',
  'id',
  'label',
  'state',
  'state_since',
  'last_seen',
  'sent_at',
  'beats',
  'armed_at',
  'late_after_ms',
  'down_after_ms',
  'deadline',
  'parent_id',
  'tags',
  'maintenance_until',
  'created_at',
  'created_run',
  'rearmed_run',
]

/** Column, field of the options, column of what was given. */
const plain = [
  ['label', 'label', 'label'],
  ['parent_id', 'parent', 'parent'],
  ['tags', 'tags', 'tags'],
  ['maintenance_until', 'maintenance', 'maintenance'],
] as const
const thresholds = [
  ['late_after_ms', 'lateAfter', 'late_after'],
  ['down_after_ms', 'downAfter', 'down_after'],
] as const

function subjectsGiven(dialect: Dialect): Sql {
  const word = (field: string) => sql`value ->> ${raw(`'${field}'`)}`
  const number = (field: string) => sql`cast(value ->> ${raw(`'${field}'`)} as bigint)`
  return sql`select ${word('id')} as id, ${word('label')} as label, ${word('parent')} as parent, ${word('tags')} as tags,
    ${word('given')} as given, ${number('downAfter')} as down_after, ${number('lateAfter')} as late_after,
    ${number('appear')} as appear, ${number('maintenance')} as maintenance, ${number('due')} as due
  from ${dialect.objects(slot('subjects'))} as given_subjects`
}
