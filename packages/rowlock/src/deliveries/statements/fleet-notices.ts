import { type Dialect, identifier, type Sql, sql } from '@rowlock/core'
import { perDialect } from '@rowlock/core/module'
import { stages } from './stages.ts'

/** Devices named in one message. */
const NAMED = sql`20`

const outbox = identifier('rowlock_outbox')
const downtimes = identifier('rowlock_downtimes')

/** The messages that told many outages as one, `mass:<run>:<destination>`; of an index of keys, a short stretch. */
const told = sql`o.dedup_key >= 'mass:' and o.dedup_key < 'mass;' and o.topic = 'fleet.down'`

/** The run that found them, cut out of the dedup key. */
const run = sql`substr(o.dedup_key, 6, length(o.dedup_key) - 6 - length(o.destination))`

const open = sql`from ${downtimes} t where t.opened_run = ${run} and t.suppressed_by = 'mass' and t.ended_at is null`

/** What follows the first message of them arrives in the order in which it was written. */
const inOrder = sql`'mass:' || ${run} || ':' || o.destination`

/**
 * When all outages that were told as one have ended: one message to each destination that was told, `mass-up:<run>:<destination>`.
 * A sub-select for the outbox.
 */
export function fleetEnds(): Sql {
  return sql`select 'fleet.up' as topic, o.destination as destination,
      'mass-up:' || ${run} || ':' || o.destination as dedup_key, ${inOrder} as ordering_key,
      o.payload as payload, cast(null as bigint) as not_before
    from ${outbox} o ${wanting}
    where ${told} and o.state = 'sent' and not exists (select 1 ${open})`
}

/** Messages of many outages that nobody has begun to send, and all of which have ended. Their dedup keys. */
export function pointlessFleetNotices(): Sql {
  return sql`select o.dedup_key from ${outbox} o
    where ${told} and o.state = 'pending' and o.token = 0 and not exists (select 1 ${open})`
}

/**
 * Reminders of outages that were told as one and of which some last: `remind:<run>:<1h|1d>:<destination>`, with the number and
 * names of those. A sub-select for the outbox.
 * @param now the instant that judges, in ms; null for the database's clock.
 */
export function dueFleetReminders(dialect: Dialect, now: number | null): Sql {
  const at = sql`(select coalesce(cast(${now} as bigint), ${dialect.clock}))`
  const named = sql`(select t.subject_id ${open} order by t.subject_id limit ${NAMED})`
  const payload = perDialect(dialect, {
    sqlite: sql`json_object('scope', o.payload ->> '$.scope', 'run', ${run}, 'startedAt', (select min(t.started_at) ${open}), 'reminder', r.stage,
      'mass', json_object('count', (select count(*) ${open}), 'of', o.payload ->> '$.mass.count',
        'subjects', json((select json_group_array(subject_id) from ${named}))))`,
    postgres: sql`cast(json_build_object('scope', cast(o.payload as json) ->> 'scope', 'run', ${run},
      'startedAt', (select min(t.started_at) ${open}), 'reminder', r.stage,
      'mass', json_build_object('count', (select count(*) ${open}), 'of', cast(o.payload as json) -> 'mass' -> 'count',
        'subjects', (select json_agg(n.subject_id) from ${named} n))) as text)`,
  })
  return sql`select 'fleet.still-down' as topic, o.destination as destination,
      'remind:' || ${run} || ':' || r.stage || ':' || o.destination as dedup_key, ${inOrder} as ordering_key,
      ${payload} as payload, cast(null as bigint) as not_before
    from ${outbox} o ${wanting} cross join ${stages} r
    where ${told} and o.state in ('sent', 'dead') and exists (select 1 ${open})
      and o.finished_at + r.after_ms <= ${at} and (r.until_ms is null or o.finished_at + r.until_ms > ${at})`
}

const wanting = sql`join ${identifier('rowlock_destinations')} d
  on d.id = o.destination and d.enabled = 1 and d.removed_at is null`
