import { type Dialect, instant, perDialect } from '../../port/dialect.ts'
import { raw, type Sql, slot, sql } from '../../port/sql.ts'

/** The instant that judges, evaluated where it stands. */
export function judged(dialect: Dialect): Sql {
  return instant(dialect, slot('now'))
}

/**
 * The same instant, evaluated once for the statement. Only such a one can be looked up in an index:
 * PostgreSQL evaluates its clock anew for every row otherwise.
 */
export function judgedOnce(dialect: Dialect): Sql {
  return sql`(select ${judged(dialect)})`
}

/** A row that may be leased, apart from its place in an ordering key: due, and nobody's. */
export function free(row: string, now: Sql): Sql {
  const column = (name: string) => raw(`${row}.${name}`)
  return sql`${column('not_before')} <= ${now} and (${column('state')} = 'pending' or ${column('lease_until')} < ${now})`
}

/**
 * No earlier row of the same destination and ordering key is unfinished. Being leased and being put
 * back are both unfinished, so this cannot become true under a lease that is being taken elsewhere.
 */
export function first(row: string, outbox: Sql): Sql {
  const column = (name: string) => raw(`${row}.${name}`)
  return sql`not exists (select 1 from ${outbox} e
        where e.destination = ${column('destination')} and e.ordering_key = ${column('ordering_key')}
          and e.id < ${column('id')} and e.finished_at is null)`
}

/**
 * Locks rows one by one in the order of their ids, so that two callers with some rows in common never
 * wait for each other in a circle. SQLite locks nothing.
 */
export function locked(dialect: Dialect): Sql {
  return perDialect(dialect, { sqlite: sql``, postgres: sql` order by id${dialect.lockRows}` })
}

/**
 * A condition once more, outside the sub-select that chose the rows. On PostgreSQL others write while
 * a statement runs, so what was true inside must be true again; SQLite has one writer at a time.
 */
export function again(dialect: Dialect, condition: Sql): Sql {
  return perDialect(dialect, { sqlite: sql``, postgres: sql` and ${condition}` })
}

const COLUMNS = [
  'id',
  'topic',
  'destination',
  'dedup_key',
  'ordering_key',
  'payload',
  'not_before',
  'state',
  'token',
  'lease_until',
  'attempts',
  'give_up_at',
  'last_error',
  'run',
  'created_at',
  'finished_at',
]

/** All columns of a row of the outbox. */
export const columns: Sql = raw(COLUMNS.join(', '))

/** Still leased under the token of whoever answers. */
export const answered: Sql = sql`id = cast(${slot('id')} as bigint) and token = cast(${slot('token')} as bigint) and state = 'leased'`

/**
 * The row has one of the dedup keys of a JSON array. PostgreSQL expects a hundred of a function's rows
 * and would rather read the whole table; of an array it expects ten, and takes the index.
 */
export function keyed(dialect: Dialect): Sql {
  const keys = sql`select value from ${dialect.texts(slot('dedupKeys'))} k`
  return perDialect(dialect, {
    sqlite: sql`dedup_key in (${keys})`,
    postgres: sql`dedup_key = any (array(${keys}))`,
  })
}
