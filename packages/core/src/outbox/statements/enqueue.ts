import { type Dialect, perDialect } from '../../port/dialect.ts'
import type { Statement } from '../../port/driver.ts'
import type { TableNames } from '../../port/schema.ts'
import { raw, type Sql, slot, sql, type Template, template } from '../../port/sql.ts'
import { judged } from './conditions.ts'

const COLUMNS = raw(
  'topic, destination, dedup_key, ordering_key, payload, not_before, give_up_at, run, created_at',
)

/**
 * The clock, read once for all rows of the statement, so that what is enqueued together is due
 * together. PostgreSQL would read it anew for each row, and again within a row.
 */
function oneInstant(now: Sql): Sql {
  return sql`with c as materialized (select ${now} as at)`
}

/**
 * Writes the messages of one JSON array; a dedup key that is there already is left as it is. Ids
 * follow the array's order. On PostgreSQL the rows are written in the order of their dedup keys all
 * the same, since two callers with the same keys in different orders would wait for each other; so
 * the ids are drawn first.
 */
export function enqueue(dialect: Dialect, tables: TableNames): Template {
  const outbox = tables('outbox')
  const notBefore = sql`coalesce(cast(value ->> 'notBefore' as bigint), c.at + cast(value ->> 'delay' as bigint))`
  const fields = sql`value ->> 'topic', value ->> 'destination', value ->> 'dedupKey', value ->> 'orderingKey',
  value ->> 'payload', ${notBefore}, ${notBefore} + cast(${slot('maxAge')} as bigint), cast(${slot('run')} as text), c.at`
  const messages = dialect.objects(slot('messages'))
  return template(
    dialect,
    'outbox.enqueue',
    perDialect(dialect, {
      sqlite: sql`insert into ${outbox} (${COLUMNS})
${oneInstant(judged(dialect))}
select ${fields}
from ${messages} m, c
where true
order by position
on conflict (dedup_key) do nothing
returning id, dedup_key`,
      postgres: sql`insert into ${outbox} (id, ${COLUMNS}) overriding system value
${oneInstant(judged(dialect))}
select id, ${fields}
from (
  select nextval((select pg_get_serial_sequence('${outbox}', 'id'))::regclass) as id, value
  from ${messages} m order by position
) m, c
order by (value ->> 'dedupKey') collate "C", id
on conflict (dedup_key) do nothing
returning id, dedup_key`,
    }),
  )
}

/**
 * Writes the messages that a sub-select of the caller's derives, such as one for each row that lacks
 * its message. It gives the columns topic, destination, dedup_key, ordering_key, payload (JSON text)
 * and not_before (NULL for at once). Ids follow the order of the dedup keys.
 */
export function enqueueFrom(
  dialect: Dialect,
  tables: TableNames,
  source: Sql,
  given: { now: number | null; maxAge: number; run: string | null },
): Statement {
  return enqueueEach(dialect, tables, source).with(given)
}

/** The same, written once for a sub-select that is asked again and again. */
export function enqueueEach(dialect: Dialect, tables: TableNames, source: Sql): Template {
  const notBefore = sql`coalesce(m.not_before, c.at)`
  return template(
    dialect,
    'outbox.enqueueFrom',
    sql`insert into ${tables('outbox')} (${COLUMNS})
${oneInstant(judged(dialect))}
select m.topic, m.destination, m.dedup_key, m.ordering_key, m.payload, ${notBefore},
  ${notBefore} + cast(${slot('maxAge')} as bigint), cast(${slot('run')} as text), c.at
from (${source}) m, c
where true
order by m.dedup_key${dialect.byteOrder}
on conflict (dedup_key) do nothing
returning id, dedup_key`,
  )
}
