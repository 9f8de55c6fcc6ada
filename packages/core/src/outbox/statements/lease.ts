import { type Dialect, perDialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { raw, type Sql, slot, sql, type Template, template } from '../../port/sql.ts'
import { again, columns, first, free, judged, judgedOnce } from './conditions.ts'

/**
 * Hands out due rows, each to one caller. It walks the destinations that have something unfinished,
 * one index probe each, takes up to `limit` candidates of each, and orders them by their rank: how
 * many rows of that destination would then be out. So ten thousand rows of one destination stand
 * behind the first row of every other. Between equal ranks the ring of destinations, turned by a
 * drawn number, decides; an order by age would let the longest backlog come first every time.
 *
 * A row whose lease ran out on its last attempt is given up here instead of being handed out again:
 * a message that kills its worker must not do so for ever.
 */
export function lease(dialect: Dialect, tables: TableNames): Template {
  // The walk ends with a row without a name. Where it is the only one, there are no destinations to divide by.
  const outbox = tables('outbox')
  const now = judged(dialect)
  const once = judgedOnce(dialect)
  const spent = sql`state = 'leased' and (attempts >= cast(${slot('attempts')} as bigint) or give_up_at <= ${once})`
  return template(
    dialect,
    'outbox.lease',
    sql`with recursive destination(name, place) as (
  select (select d.destination from ${outbox} d where d.finished_at is null order by d.destination limit 1), 0
  union all
  select (select n.destination from ${outbox} n where n.finished_at is null and n.destination > d.name
    order by n.destination limit 1), d.place + 1
  from destination d where d.name is not null
), served(name, turn, leased) as (
  select d.name,
    (d.place + cast(${slot('turn')} as bigint)) % (select count(name) from destination),
    (select count(*) from ${outbox} l where l.destination = d.name and l.state = 'leased' and l.lease_until >= ${once})
  from destination d
  where d.name is not null
    and not exists (select 1 from ${tables('outbox_destinations')} x where x.destination = d.name)
), candidate(id, rank, turn) as (
  ${candidates(dialect, outbox)}
), picked(id) as ${picked(dialect, outbox)}
update ${outbox} as o set
  state = case when ${spent} then 'dead' else 'leased' end,
  token = token + 1,
  attempts = case when ${spent} then attempts else attempts + 1 end,
  lease_until = case when ${spent} then null else ${now} + cast(${slot('ttl')} as bigint) end,
  last_error = case when ${spent} then coalesce(last_error, 'the last attempt was never answered') else last_error end,
  finished_at = case when ${spent} then ${now} end
where id in (select id from picked)${again(dialect, free('o', now))}
returning ${columns}`,
  )
}

/**
 * The candidates of lowest rank. On PostgreSQL they are locked here, in that order and up to the limit,
 * leaving out those that somebody else is just taking: a lease waits for nobody.
 */
function picked(dialect: Dialect, outbox: Sql): Sql {
  const within = sql`c.rank <= coalesce(cast(${slot('perDestination')} as bigint), c.rank)`
  const ordered = sql`order by c.rank, c.turn limit cast(${slot('limit')} as bigint)`
  return perDialect(dialect, {
    sqlite: sql`(
  select c.id from candidate c where ${within} ${ordered}
)`,
    postgres: sql`materialized (
  select o.id from candidate c cross join ${outbox} o
  where o.id = c.id and ${within} and ${free('o', judgedOnce(dialect))}
  ${ordered} for no key update of o skip locked
)`,
  })
}

/**
 * Due rows of each destination with their rank and their destination's turn. PostgreSQL walks them
 * with a lateral join, which SQLite does not have; a correlated IN, which SQLite walks by the same
 * index, would be tested against the whole table on PostgreSQL. There, too, more candidates are
 * taken than rows are wanted, since others may be holding some.
 */
function candidates(dialect: Dialect, outbox: Sql): Sql {
  const rank = raw('s.leased + row_number() over (partition by s.name order by o.not_before, o.id)')
  const limit = sql`cast(${slot('limit')} as bigint)`
  const found = (selected: string, most: Sql) => sql`(select ${raw(selected)} from ${outbox} c
    where c.destination = s.name and c.finished_at is null and ${free('c', judgedOnce(dialect))}
      and ${first('c', outbox)}
    order by c.not_before, c.id limit ${most})`
  return perDialect(dialect, {
    sqlite: sql`select o.id, ${rank}, s.turn
  from served s cross join ${outbox} o where o.id in ${found('c.id', limit)}`,
    postgres: sql`select o.id, ${rank}, s.turn
  from served s cross join lateral ${found('c.id, c.not_before', sql`4 * ${limit}`)} o`,
  })
}
