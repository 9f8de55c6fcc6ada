import { type Dialect, identifier, raw, type Sql, sql } from '@rowlock/core'
import { perDialect } from '@rowlock/core/module'
import { alertDestinations } from './alerts.ts'
import { stages } from './stages.ts'

const outbox = identifier('rowlock_outbox')
const downtimes = identifier('rowlock_downtimes')

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

/** Reminders that nobody has begun to send and whose outage, or the last of whose outages, is over. Their dedup keys. */
export function pointlessReminders(dialect: Dialect): Sql {
  const field = (name: string) =>
    perDialect(dialect, {
      sqlite: sql`o.payload ->> ${raw(`'${name}'`)}`,
      postgres: sql`cast(o.payload as json) ->> ${raw(`'${name}'`)}`,
    })
  return sql`select o.dedup_key from ${outbox} o
    where o.finished_at is null and o.state = 'pending' and o.token = 0
      and case o.topic
        when 'subject.still-down' then not exists (
          select 1 from ${downtimes} t where t.id = ${field('downtime')} and t.ended_at is null)
        when 'fleet.still-down' then not exists (
          select 1 from ${downtimes} t where t.opened_run = ${field('run')} and t.suppressed_by = 'mass' and t.ended_at is null)
        else false end
    order by o.id limit 1000`
}
