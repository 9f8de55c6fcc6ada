import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { type Sql, slot, sql, type Template, template } from '../../port/sql.ts'
import { beatFields, beatsGiven } from './beats.ts'
import { alertAtEnd, ends, judged, received, scope, word } from './conditions.ts'

/** The outages that beats end, of subjects that are up by now: their rows were written first. */
export function closeByBeat(dialect: Dialect, tables: TableNames): Template {
  const given = beatFields(dialect)
  return close(dialect, tables, {
    name: 'liveness.closeByBeat',
    head: sql`with ${beatsGiven(dialect)}
`,
    from: sql`
from b`,
    at: given.at,
    reason: sql`'beat'`,
    where: sql`d.subject_id = b.subject and ${ends(given)} and ${inState(tables, "'up'")}`,
  })
}

/** The outages of subjects that came back without a beat of ours: whoever writes `last_seen` may be somebody else. */
export function closeReturned(dialect: Dialect, tables: TableNames): Template {
  const lastSeen = sql`(select s.last_seen from ${tables('subjects')} s where s.scope = d.scope and s.id = d.subject_id)`
  return close(dialect, tables, {
    name: 'liveness.closeReturned',
    at: received(dialect, lastSeen),
    reason: sql`'beat'`,
    where: sql`${inState(tables, "'up'")} and ${lastSeen} > d.started_at`,
  })
}

/** The outage of a subject that was paused or removed. */
export function closeOne(dialect: Dialect, tables: TableNames): Template {
  return close(dialect, tables, {
    name: 'liveness.closeOne',
    at: judged(dialect),
    reason: word('reason'),
    where: sql`d.subject_id = ${slot('id')} and ${inState(tables, "'paused'")}`,
  })
}

/** Open outages of subjects that are paused or gone: drift, such as somebody's own SQL leaves. */
export function closeStray(dialect: Dialect, tables: TableNames): Template {
  return close(dialect, tables, {
    name: 'liveness.closeStray',
    at: judged(dialect),
    reason: sql`'repaired'`,
    where: sql`not exists (select 1 from ${tables('subjects')} s
    where s.scope = d.scope and s.id = d.subject_id and s.state <> 'paused')`,
  })
}

interface Closing {
  readonly name: string
  readonly head?: Sql
  readonly from?: Sql
  readonly at: Sql
  readonly reason: Sql
  readonly where: Sql
}

/** Counted only where a row comes back; never of negative length. */
function close(dialect: Dialect, tables: TableNames, given: Closing): Template {
  const { name, head = sql``, from = sql``, at, reason, where } = given
  const end = dialect.greater(at, sql`started_at`)
  return template(
    dialect,
    name,
    sql`${head}update ${tables('downtimes')} as d set
  ended_at = ${end}, duration_ms = ${end} - started_at, end_reason = ${reason}, closed_run = ${word('run')}, alert = case when ${reason} = 'removed' then 'done' else ${alertAtEnd} end${from}
where d.scope = ${scope} and d.ended_at is null and ${where}
returning id, subject_id, duration_ms`,
  )
}

function inState(tables: TableNames, state: string): Sql {
  const literal: Sql = { pieces: [state] }
  return sql`(select s.state from ${tables('subjects')} s where s.scope = d.scope and s.id = d.subject_id) = ${literal}`
}
