import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { raw, type Sql, sql, type Template, template } from '../../port/sql.ts'
import { judged, scope, whole } from './conditions.ts'

/** Checks that are long past. */
export function sweepChecks(dialect: Dialect, tables: TableNames): Template {
  return sweep(dialect, tables, { table: 'checks', key: 'run', at: 'at' })
}

/** Outages that ended long ago; never an open one. */
export function sweepDowntimes(dialect: Dialect, tables: TableNames): Template {
  return sweep(dialect, tables, {
    table: 'downtimes',
    key: 'id',
    at: 'ended_at',
    and: sql`alert in ('muted', 'told', 'done')`,
  })
}

/** Blind times that are long past. */
export function sweepBlind(dialect: Dialect, tables: TableNames): Template {
  return sweep(dialect, tables, { table: 'blind', key: 'id', at: 'to_at' })
}

/** Subjects that were removed long ago and have no history left. */
export function sweepSubjects(dialect: Dialect, tables: TableNames): Template {
  const none = sql`not exists (select 1 from ${tables('downtimes')} d
    where d.scope = ${tables('subjects')}.scope and d.subject_id = ${tables('subjects')}.id)`
  return sweep(dialect, tables, { table: 'subjects', key: 'id', at: 'deleted_at', and: none })
}

function sweep(
  dialect: Dialect,
  tables: TableNames,
  { table, key, at, and = sql`true` }: { table: string; key: string; at: string; and?: Sql },
): Template {
  const name = tables(table)
  const old = sql`scope = ${scope} and ${raw(at)} < ${judged(dialect)} - ${whole('retention')} and ${and}`
  return template(
    dialect,
    `liveness.sweep${table[0]!.toUpperCase()}${table.slice(1)}`,
    sql`delete from ${name} where ${old} and ${raw(key)} in (
  select ${raw(key)} from ${name} where ${old} order by ${raw(at)}, ${raw(key)} limit ${whole('step')}${dialect.lockFreeRows}
)
returning ${raw(key)}`,
  )
}
