import { type Dialect, instant } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { raw, type Sql, slot, sql } from '../../port/sql.ts'

/** The instant that judges, evaluated where it stands. */
export const judged = (dialect: Dialect): Sql => instant(dialect, slot('now'))

export const whole = (name: string): Sql => sql`cast(${slot(name)} as bigint)`
export const word = (name: string): Sql => sql`cast(${slot(name)} as text)`
export const scope: Sql = word('scope')

/** When a beat was received: never later than the instant that judges. A NULL is now. */
export function received(dialect: Dialect, given: Sql): Sql {
  return sql`case when ${given} < ${judged(dialect)} then ${given} else ${judged(dialect)} end`
}

/**
 * What a beat received at `at` makes of a subject's row, apart from its state. `last_seen` never moves back, and an old
 * beat leaves the deadline alone. max(NULL, x) is NULL on SQLite: without coalesce the first beat would not be stored.
 */
export function seen(dialect: Dialect, given: { at: Sql; beats: Sql; sent: Sql; due: Sql }): Sql {
  const { at, beats, sent, due } = given
  const expected = dialect.greater(dialect.greater(at, sql`armed_at`), sql`coalesce(${due}, 0)`)
  return sql`beats = beats + ${beats},
  last_seen = ${dialect.greater(sql`coalesce(last_seen, ${at})`, at)},
  sent_at = coalesce(${sent}, sent_at),
  deadline = case when state = 'paused' or ${at} < last_seen then deadline else ${expected} + down_after_ms end`
}

/**
 * Whether a beat ends the outage `d`. One that came just now does; one that waited somewhere ends only what began before it,
 * and a failure of the same millisecond came before it, too.
 */
export function ends({ received, at }: { readonly received: Sql; readonly at: Sql }): Sql {
  return sql`(${received} is null or ${at} > d.started_at or (d.cause = 'failed' and ${at} = d.started_at))`
}

/**
 * When the open outage of the subject `s` began; NULL where there is none. A value and not an EXISTS: PostgreSQL makes a join
 * of an EXISTS, and with a thousand new outages, of which its statistics know nothing yet, it compares each with each.
 */
export function openSince(tables: TableNames): Sql {
  return sql`(select d.started_at from ${tables('downtimes')} d where d.scope = s.scope and d.subject_id = s.id and d.ended_at is null)`
}

/** The messages of the outbox about an outage: their dedup keys begin with `way:<id>:`. The index on the keys finds them. */
export function messagesOf(way: 'down' | 'up', message: string, outage: string): Sql {
  const [key, id] = [raw(`${message}.dedup_key`), raw(`${outage}.id`)]
  return sql`${key} >= ${raw(`'${way}:'`)} || ${id} || ':' and ${key} < ${raw(`'${way}:'`)} || ${id} || ';'`
}

/** Nobody has had the message in hands. */
export function untouched(message: string): Sql {
  return sql`${raw(message)}.state = 'pending' and ${raw(message)}.token = 0`
}

/**
 * So many openings and endings of the subject of `d`, this one included, since the window began. Of the newest rows, as
 * each of them counts once at least.
 */
export function flapping(dialect: Dialect, tables: TableNames): Sql {
  const since = sql`${judged(dialect)} - ${whole('flappingWithin')}`
  return sql`(select coalesce(sum(case when f.detected_at > ${since} then 1 else 0 end
      + case when f.ended_at > ${since} then 1 else 0 end), 0)
    from (select n.detected_at, n.ended_at from ${tables('downtimes')} n
      where n.scope = d.scope and n.subject_id = d.subject_id
      order by n.detected_at desc, n.id desc limit ${whole('flappingChanges')}) f) >= ${whole('flappingChanges')}`
}

/** What becomes of the alerts of an outage that ends: what was told has an end to tell. */
export const alertAtEnd: Sql = sql`case when alert in ('told', 'due') then 'end' when alert = 'mass' then 'mass' else 'done' end`

/**
 * Chooses subjects to be written, by a condition on `s`. PostgreSQL locks them first, in the order of their ids, so that two
 * callers never wait for each other in a circle; with `skip` it leaves out those that somebody else is writing. The
 * condition is tested on the rows as they are once they are locked.
 */
export function chosen(dialect: Dialect, tables: TableNames, condition: Sql, skip = false): Sql {
  const lock = skip ? dialect.lockFreeRows : dialect.lockRows
  return sql`select s.id from ${tables('subjects')} s where s.scope = ${scope} and ${condition}
  order by s.id${lock}`
}
