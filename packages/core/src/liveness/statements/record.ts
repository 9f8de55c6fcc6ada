import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { join, raw, type Sql, sql, type Template, template } from '../../port/sql.ts'
import { judged, scope, whole, word } from './conditions.ts'
import { proposals } from './open.ts'

/**
 * The check's own row, in its batch: what was proposed comes from the caller, what was written is counted here, by run. It
 * is the record for the history, and for a reply that was lost. A check of several batches writes it with each.
 */
export function record(dialect: Dialect, tables: TableNames): Template {
  const table = tables('checks')
  const counts = countsOf(dialect, tables)
  const columns = raw(['run', 'scope', 'at', 'verdict', ...Object.keys(counts)].join(', '))
  const anew = Object.keys(counts).map((column) => sql`${raw(column)} = excluded.${raw(column)}`)
  return template(
    dialect,
    'liveness.record',
    sql`insert into ${table} (${columns})
select ${word('run')}, ${scope}, ${judged(dialect)}, ${word('verdict')},
  ${join(Object.values(counts), ',\n  ')}
where true
on conflict (run) do update set ${join(anew)}
where ${table}.scope = excluded.scope
returning run`,
  )
}

/** What is written down of a run, for a caller who did not hear it. */
export function recorded(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'liveness.recorded',
    sql`select checked, newly_down, recovered, opened, closed, alerts_queued, raced, suppressed, repaired
from ${tables('checks')} where run = ${word('run')} and scope = ${scope}`,
  )
}

function countsOf(dialect: Dialect, tables: TableNames): Readonly<Record<string, Sql>> {
  const downtimes = tables('downtimes')
  const run = word('run')
  const opened = sql`(select count(*) from ${downtimes} where opened_run = ${run})`
  const already = sql`(select count(*) from ${proposals(dialect)} p join ${downtimes} d
    on d.scope = ${scope} and d.subject_id = p.id and d.ended_at is null where d.opened_run <> ${run})`
  return {
    checked: whole('checked'),
    newly_down: whole('newlyDown'),
    recovered: whole('recovered'),
    opened,
    closed: sql`(select count(*) from ${downtimes} where closed_run = ${run} and end_reason = 'beat')`,
    alerts_queued: sql`(select count(*) from ${tables('outbox')} where run = ${run})`,
    raced: dialect.greater(sql`${whole('newlyDown')} - ${opened} - ${whole('already')} - ${already}`, sql`0`),
    suppressed: sql`(select count(*) from ${downtimes} where opened_run = ${run} and suppressed_by is not null)`,
    repaired: whole('repaired'),
  }
}
