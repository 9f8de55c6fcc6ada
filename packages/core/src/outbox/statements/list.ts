import type { Dialect } from '../../port/dialect.ts'
import type { Statement } from '../../port/driver.ts'
import type { TableNames } from '../../port/schema.ts'
import { identifier, join, raw, type Sql, sql, statement } from '../../port/sql.ts'
import type { ListOptions, MessageState } from '../types.ts'
import { columns } from './conditions.ts'

/** A page of rows, newest first. Only the filters that were given stand in the text. */
export function list(dialect: Dialect, tables: TableNames, options: ListOptions, limit: number): Statement {
  const { state, destination, topic, orderingKey, dedupKey, run, before } = options
  const equal = { destination, topic, ordering_key: orderingKey, dedup_key: dedupKey, run }
  const filters: Sql[] = Object.entries(equal).flatMap(([column, value]) =>
    value === undefined ? [] : [sql`${identifier(column)} = ${value}`],
  )
  if (state !== undefined) filters.push(inState(state))
  if (before !== undefined) filters.push(sql`id < cast(${before} as bigint)`)
  return statement(
    dialect,
    sql`select ${columns} from ${tables('outbox')}
where ${filters.length === 0 ? raw('true') : join(filters, ' and ')}
order by id desc limit cast(${limit} as bigint)`,
    { name: 'outbox.list' },
  )
}

/** Written out, not bound: the partial indexes answer only to a literal. */
function inState(state: MessageState): Sql {
  return raw(`state = '${state}'${state === 'pending' ? ' and finished_at is null' : ''}`)
}
