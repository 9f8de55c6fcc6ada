import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { join, raw, type Sql, slot, sql, type Template, template } from '../../port/sql.ts'
import { targetsOf } from './alerts.ts'
import { judged, messagesOf, scope, untouched } from './conditions.ts'

/**
 * Outages whose messages are all there need no telling any more. The condition looks for what is lacking, not for this
 * run's rows: a run that was killed between two statements leaves rows that the next one tells.
 */
export function told(dialect: Dialect, tables: TableNames, rules?: Sql): Template {
  const lacking = lackingOf(dialect, tables, sql`'down:' || d.id`, rules)
  return settle(dialect, tables, { name: 'liveness.told', from: 'due', to: 'told', lacking })
}

/** The same for outages that were told as one. */
export function toldMass(dialect: Dialect, tables: TableNames, rules?: Sql): Template {
  const lacking = lackingOf(dialect, tables, sql`'mass:' || d.opened_run`, rules)
  return settle(dialect, tables, { name: 'liveness.toldMass', from: 'mass', to: 'muted', lacking })
}

/** Destinations of the outage `d` that have no message whose dedup key begins so. */
function lackingOf(dialect: Dialect, tables: TableNames, key: Sql, rules: Sql | undefined): Sql {
  return sql`select 1 from (select 1 as one) r join ${targetsOf(dialect, rules)}
  where not exists (select 1 from ${tables('outbox')} o where o.dedup_key = ${key} || ':' || t.destination)`
}

/** The same for ends. */
export function toldEnd(dialect: Dialect, tables: TableNames): Template {
  return template(
    dialect,
    'liveness.toldEnd',
    sql`update ${tables('downtimes')} as d set alert = 'done'
where d.scope = ${scope} and d.alert = 'end' and not exists (select 1 from ${tables('outbox')} o
  where ${messagesOf('down', 'o', 'd')} and o.state <> 'cancelled'
    and not exists (select 1 from ${tables('outbox')} u where u.dedup_key = 'up' || substr(o.dedup_key, 5)))
returning id`,
  )
}

/** Takes back what nobody has sent yet of outages that have ended: a down and its up cancel each other. */
export function takeBack(dialect: Dialect, tables: TableNames): Template {
  return takeBackOf(dialect, tables, {
    name: 'liveness.takeBack',
    ways: ['down'],
    where: sql`d.alert = 'end'`,
  })
}

/** All that is still to be said of a subject that is removed. */
export function takeBackAll(dialect: Dialect, tables: TableNames): Template {
  const where = sql`d.subject_id = ${slot('id')}`
  return takeBackOf(dialect, tables, { name: 'liveness.takeBackAll', ways: ['down', 'up'], where })
}

/** The outages first, then their messages: left to itself PostgreSQL looks for the outages of every message there is. */
function takeBackOf(
  dialect: Dialect,
  tables: TableNames,
  { name, ways, where }: { name: string; ways: readonly ('down' | 'up')[]; where: Sql },
): Template {
  const outbox = tables('outbox')
  const messages = ways.map(
    (way) => sql`select o.id from outages d join ${outbox} o on ${messagesOf(way, 'o', 'd')}`,
  )
  return template(
    dialect,
    name,
    sql`with outages as materialized (
  select d.id from ${tables('downtimes')} d where d.scope = ${scope} and ${where}
), messages as materialized (
  ${join(messages, ' union all ')}
), picked as (
  select o.id from ${outbox} o where o.id in (select id from messages) and ${untouched('o')} order by o.id${dialect.lockRows}
)
update ${outbox} set state = 'cancelled', finished_at = ${judged(dialect)}
where id in (select id from picked) and state = 'pending' and token = 0
returning id, dedup_key`,
  )
}

function settle(
  dialect: Dialect,
  tables: TableNames,
  { name, from, to, lacking }: { name: string; from: string; to: string; lacking: Sql },
): Template {
  return template(
    dialect,
    name,
    sql`update ${tables('downtimes')} as d set alert = ${raw(`'${to}'`)}
where d.scope = ${scope} and d.alert = ${raw(`'${from}'`)} and not exists (${lacking})
returning id`,
  )
}
