import type { Dialect } from '../../port/dialect.ts'
import { raw, slot, sql, type Template, template } from '../../port/sql.ts'
import type { ClaimTable } from '../table.ts'
import { free, viewColumns } from './conditions.ts'

/** A page of rows in byte order of the key, from behind `after` and within the range of a prefix. */
export function list(dialect: Dialect, table: ClaimTable): Template {
  const key = sql`${table.row}.${table.key}${dialect.byteOrder}`
  const until = sql`cast(${slot('until')} as text)`
  const wanted = sql`cast(${slot('state')} as text)`
  const { state } = table.columns
  const held = state === null ? raw(`'held'`) : sql`coalesce(${table.row}.${state}, 'held')`
  return template(
    dialect,
    'claims.list',
    sql`select ${viewColumns(dialect, table)} from ${table.sql}
where ${key} > ${slot('after')} and ${key} >= ${slot('from')} and (${until} is null or ${key} < ${until})
and (${wanted} is null or ${wanted} = case when ${free(dialect, table)} then 'free' else ${held} end)
order by ${key} limit ${slot('limit')}`,
  )
}
