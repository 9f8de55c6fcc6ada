import { enqueueEach } from '../../outbox/statements/index.ts'
import { type Dialect, perDialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { raw, type Sql, slot, sql, type Template } from '../../port/sql.ts'
import { messagesOf, scope, untouched } from './conditions.ts'

/**
 * A message for each outage that is due to be told and each of its destinations. `rules`: a sub-select of the caller's with
 * the columns scope, subject_id, destination; without it they come with the call, the same for all.
 */
export function downAlerts(dialect: Dialect, tables: TableNames, rules?: Sql): Template {
  return enqueueEach(
    dialect,
    tables,
    sql`select cast('subject.down' as text) as topic, t.destination, 'down:' || d.id || ':' || t.destination as dedup_key,
    ${ordering('t.destination')} as ordering_key, ${payload(dialect)} as payload, cast(null as bigint) as not_before
  from ${tables('downtimes')} d
  left join ${tables('subjects')} s on s.scope = d.scope and s.id = d.subject_id
  join ${targetsOf(dialect, rules)}
  where d.scope = ${scope} and d.alert = 'due' and d.ended_at is null`,
  )
}

/**
 * A message for the end of each outage, to each destination that was told of it. What was taken back unsent was not told, nor
 * was what nobody has touched yet: where this statement comes between another's, that one takes it back.
 */
export function upAlerts(dialect: Dialect, tables: TableNames): Template {
  return enqueueEach(
    dialect,
    tables,
    sql`select cast('subject.up' as text) as topic, o.destination, 'up' || substr(o.dedup_key, 5) as dedup_key,
    ${ordering('o.destination')} as ordering_key, ${payload(dialect)} as payload, cast(null as bigint) as not_before
  from ${tables('downtimes')} d
  left join ${tables('subjects')} s on s.scope = d.scope and s.id = d.subject_id
  join ${tables('outbox')} o on ${messagesOf('down', 'o', 'd')} and o.state <> 'cancelled' and not (${untouched('o')})
  where d.scope = ${scope} and d.alert = 'end'`,
  )
}

/** How many of the subjects of a mass outage are told by name. */
const NAMED = 20

/** One message for all outages that one run opened at once, to each destination of any of them. */
export function massAlerts(dialect: Dialect, tables: TableNames, rules?: Sql): Template {
  const { object, array, parsed } = json(dialect)
  const downtimes = tables('downtimes')
  const some = sql`(select ${array}(x.subject_id) from (select n.subject_id from ${downtimes} n
      where n.scope = m.scope and n.opened_run = m.opened_run and n.alert = 'mass' order by n.subject_id limit ${NAMED}) x)`
  return enqueueEach(
    dialect,
    tables,
    sql`select cast('fleet.down' as text) as topic, m.destination, 'mass:' || m.opened_run || ':' || m.destination as dedup_key,
    cast(null as text) as ordering_key,
    cast(${object}('scope', m.scope, 'mass', ${object}('count', m.outages, 'subjects', ${parsed(some)})) as text) as payload,
    cast(null as bigint) as not_before
  from (select d.scope, d.opened_run, t.destination, (select count(*) from ${downtimes} c
      where c.scope = d.scope and c.opened_run = d.opened_run and c.alert = 'mass') as outages
    from ${downtimes} d join ${targetsOf(dialect, rules)}
    where d.scope = ${scope} and d.alert = 'mass'
    group by d.scope, d.opened_run, t.destination) m`,
  )
}

/** Joined to an outage `d`, each of its destinations as `t.destination`. */
export function targetsOf(dialect: Dialect, rules?: Sql): Sql {
  if (rules !== undefined) return sql`(${rules}) t on t.scope = d.scope and t.subject_id = d.subject_id`
  return sql`(select value as destination from ${dialect.texts(slot('targets'))} as given) t on true`
}

function ordering(destination: string): Sql {
  return sql`d.scope || ':' || d.subject_id || ':' || ${raw(destination)}`
}

/** What an alert tells, in full: every attempt sends the same bytes. */
function payload(dialect: Dialect): Sql {
  const { object, parsed } = json(dialect)
  return sql`cast(${object}('scope', d.scope, 'subject', d.subject_id, 'label', d.label,
      'tags', ${parsed(sql`coalesce(s.tags, '[]')`)}, 'downtime', d.id, 'cause', d.cause, 'reason', d.reason,
      'startedAt', d.started_at, 'detectedAt', d.detected_at, 'endedAt', d.ended_at, 'durationMs', d.duration_ms,
      'episode', d.episode_id) as text)`
}

function json(dialect: Dialect) {
  return perDialect(dialect, {
    sqlite: {
      object: raw('json_object'),
      array: raw('json_group_array'),
      parsed: (text: Sql) => sql`json(${text})`,
    },
    postgres: {
      object: raw('json_build_object'),
      array: raw('json_agg'),
      parsed: (text: Sql) => sql`cast(${text} as json)`,
    },
  })
}
