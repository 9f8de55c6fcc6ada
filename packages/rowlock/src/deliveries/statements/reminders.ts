import { type Dialect, identifier, raw, type Sql, type Statement, sql } from '@rowlock/core'
import { perDialect, template } from '@rowlock/core/module'
import { alertDestinations } from './alerts.ts'

const outbox = identifier('rowlock_outbox')
const downtimes = identifier('rowlock_downtimes')

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Whoever slept through the first gets the second only. */
const stages = sql`(select '1h' as stage, ${raw(String(HOUR_MS))} as after_ms, ${raw(String(DAY_MS))} as until_ms
    union all select '1d', ${raw(String(DAY_MS))}, null)`

/**
 * The reminders that are due, as a sub-select for the outbox: for every outage that lasts and every destination that was told of
 * it (or could not be told), one an hour after that and one a day after. The dedup key is
 * `remind:<outage>:<1h|1d>:<destination>`; the payload is that of the alert, and `reminder`. Who would not be told now is not
 * reminded either, and nobody is while the device is in maintenance.
 * @param now the instant that judges, in ms; null for the database's clock.
 */
export function dueReminders(dialect: Dialect, now: number | null): Sql {
  const at = sql`(select coalesce(cast(${now} as bigint), ${dialect.clock}))`
  const payload = perDialect(dialect, {
    sqlite: sql`json_set(o.payload, '$.reminder', r.stage)`,
    postgres: sql`cast(cast(o.payload as jsonb) || jsonb_build_object('reminder', r.stage) as text)`,
  })
  return sql`select 'subject.still-down' as topic, o.destination as destination,
      'remind:' || t.id || ':' || r.stage || ':' || o.destination as dedup_key, o.ordering_key as ordering_key,
      ${payload} as payload, cast(null as bigint) as not_before
    from ${downtimes} t
    join ${identifier('rowlock_subjects')} m on m.scope = t.scope and m.id = t.subject_id
      and (m.maintenance_until is null or m.maintenance_until <= ${at})
    join (${alertDestinations(dialect)}) a on a.scope = t.scope and a.subject_id = t.subject_id
    join ${outbox} o on o.dedup_key = 'down:' || t.id || ':' || a.destination and o.state in ('sent', 'dead')
    cross join ${stages} r
    where t.ended_at is null and o.finished_at + r.after_ms <= ${at}
      and (r.until_ms is null or o.finished_at + r.until_ms > ${at})`
}

/** The dedup keys of reminders that nobody has begun to send and whose outage is over. */
export function pointlessReminders(dialect: Dialect): Statement {
  const downtime = perDialect(dialect, {
    sqlite: sql`o.payload ->> 'downtime'`,
    postgres: sql`cast(o.payload as json) ->> 'downtime'`,
  })
  return template(
    dialect,
    'reminders.pointless',
    sql`select o.dedup_key from ${outbox} o
      where o.finished_at is null and o.state = 'pending' and o.token = 0 and o.topic = 'subject.still-down'
        and not exists (select 1 from ${downtimes} t where t.id = ${downtime} and t.ended_at is null)
      order by o.id limit 1000`,
  ).with({})
}
