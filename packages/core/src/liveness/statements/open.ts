import { type Dialect, perDialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { raw, type Sql, slot, sql, type Template, template } from '../../port/sql.ts'
import { judged, scope, whole, word } from './conditions.ts'

/** One element of the `proposals` parameter: what `classify` proposed, and what it was based on. */
export interface ProposalItem {
  /** The subject. */
  readonly id: string
  /** The id that the outage is given. */
  readonly downtime: string
  readonly started: number
  readonly cause: 'silent' | 'never appeared'
  readonly beats: number
  readonly seen: number | null
}

/** The `proposals` parameter as a table. */
export function proposals(dialect: Dialect): Sql {
  const word = (field: string) => sql`value ->> ${raw(`'${field}'`)} as ${raw(field)}`
  const number = (field: string) => sql`cast(value ->> ${raw(`'${field}'`)} as bigint) as ${raw(field)}`
  return sql`(select ${word('id')}, ${word('downtime')}, ${word('cause')}, ${number('started')}, ${number('beats')},
    ${number('seen')} from ${dialect.objects(slot('proposals'))} as given)`
}

/** The subject is as it was when it was proposed, its deadline is past, and so is the checker's own waking. */
function stillSilent(dialect: Dialect, tables: TableNames): Sql {
  const now = judged(dialect)
  return sql`s.scope = ${scope} and s.state in ('new', 'up') and s.beats = p.beats and ${dialect.same(sql`s.last_seen`, sql`p.seen`)}
    and s.deadline <= ${now}
    and coalesce((select c.rearmed_at from ${tables('checker')} c where c.scope = s.scope), 0) + s.down_after_ms <= ${now}`
}

/** Outages that follow each other within the episode window share it: the last one's, or a new one. */
export function episode(tables: TableNames, given: { downtime: Sql; started: Sql }): Sql {
  return sql`coalesce((select case when ${given.started} - l.ended_at <= ${whole('episodeWindow')} then l.episode_id end
    from ${tables('downtimes')} l where l.scope = s.scope and l.subject_id = s.id
    order by l.detected_at desc, l.id desc limit 1), ${given.downtime})`
}

/**
 * Opens an outage for each proposal whose subject is still silent now. Whoever beat between the reading and this write gives
 * no row, and where an outage is open already the index refuses a second one. The rows that come back are what was opened.
 *
 * PostgreSQL locks the subjects first, in the order of their ids, leaving out those that somebody is just writing: without
 * the lock an uncommitted beat gives a false outage, and without the order two checkers wait for each other. SQLite has one
 * writer at a time.
 */
export function open(dialect: Dialect, tables: TableNames): Template {
  const subjects = tables('subjects')
  const still = stillSilent(dialect, tables)
  const columns = raw(
    'id, scope, subject_id, label, started_at, detected_at, cause, last_seen_at_open, opened_run, episode_id, suppressed_by, alert',
  )
  const values = sql`p.downtime, s.scope, s.id, s.label, p.started, ${judged(dialect)}, p.cause, s.last_seen, ${word('run')},
  ${episode(tables, { downtime: sql`p.downtime`, started: sql`p.started` })}, ${word('muted')},
  case when ${word('muted')} is null then 'new' else 'mass' end`
  const end = sql`on conflict (scope, subject_id) where ended_at is null do nothing
returning id, subject_id`
  return template(
    dialect,
    'liveness.open',
    perDialect(dialect, {
      sqlite: sql`insert into ${tables('downtimes')} (${columns})
select ${values}
from ${proposals(dialect)} p join ${subjects} s on s.id = p.id and ${still}
where true
order by s.id
${end}`,
      postgres: sql`with p as materialized ${proposals(dialect)}, s as materialized (
  select s.scope, s.id, s.label, s.last_seen from ${subjects} s join p on s.id = p.id and ${still}
  order by s.id for no key update of s skip locked
)
insert into ${tables('downtimes')} (${columns})
select ${values} from s join p on p.id = s.id order by s.id
${end}`,
    }),
  )
}

/** Of the proposals, those whose outage is open already, by another run: the state is brought in line, nothing is counted. */
export function openAlready(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'liveness.openAlready',
    sql`select d.subject_id from ${proposals(dialect)} p
join ${tables('downtimes')} d on d.scope = ${scope} and d.subject_id = p.id and d.ended_at is null
where d.opened_run <> ${word('run')}`,
  )
}
