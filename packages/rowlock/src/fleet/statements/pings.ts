import { type Dialect, identifier, type Sql, sql } from '@rowlock/core'
import { instant, slot, template } from '@rowlock/core/module'

/** So many of a device's pings are kept. */
export const KEPT_PINGS = 100

/** A ping is written in the batch of what it does to the device, in this order. */
export function pingStatements(dialect: Dialect) {
  const devices = identifier('rowlock_devices')
  const pings = identifier('rowlock_pings')
  const now = instant(dialect, slot('now'))
  const named = (name: string, piece: Sql) => template(dialect, `pings.${name}`, piece)
  const kind = sql`cast(${slot('kind')} as text)`
  const rid = sql`cast(${slot('rid')} as text)`
  const device = sql`project = cast(${slot('project')} as bigint) and id = ${slot('device')}`
  const ends = sql`${kind} in ('success', 'fail')`
  const matches = sql`started_at is not null and ${dialect.same(sql`started_rid`, rid)}`
  // An end of another run leaves the start that is waited for alone, unless it is a failure.
  const clears = sql`${ends} and ((${matches}) or ${rid} is null or ${kind} = 'fail')`
  const took = sql`${dialect.greater(sql`${now} - started_at`, sql`0`)}`
  return {
    /** Counts a ping, begins or ends a run. No row: the device is gone. */
    count: named(
      'count',
      sql`update ${devices} set pings = pings + 1,
          last_duration_ms = case when not (${ends}) then last_duration_ms when ${matches} then ${took} end,
          started_rid = case when ${kind} = 'start' then ${rid} when ${clears} then null else started_rid end,
          started_at = case when ${kind} = 'start' then ${now} when ${clears} then null else started_at end
        where ${device} returning pings`,
    ),
    /** Keeps the ping that was just counted. */
    keep: named(
      'keep',
      sql`insert into ${pings} (project, device, slot, n, kind, rid, exit_status, duration_ms, method, remote, agent,
          body, received_at)
        select project, id, pings % ${sql`cast(${slot('kept')} as bigint)`}, pings, ${kind}, ${rid},
          cast(${slot('exitStatus')} as bigint), case when ${ends} then last_duration_ms end, ${slot('method')},
          ${slot('remote')}, ${slot('agent')}, ${slot('body')}, ${now}
        from ${devices} where ${device}
        on conflict (project, device, slot) do update set n = excluded.n, kind = excluded.kind, rid = excluded.rid,
          exit_status = excluded.exit_status, duration_ms = excluded.duration_ms, method = excluded.method,
          remote = excluded.remote, agent = excluded.agent, body = excluded.body, received_at = excluded.received_at
        returning n`,
    ),
    /** Runs that began longer ago than their grace and have not ended. */
    overdue: named(
      'overdue',
      sql`select project, id, started_at, grace_ms from ${devices}
        where started_at is not null and started_at + grace_ms <= ${now}
        order by started_at limit cast(${slot('limit')} as bigint)`,
    ),
    /** Ends the wait for a run, if it is the one that was found overdue. */
    giveUp: named(
      'giveUp',
      sql`update ${devices} set started_at = null, started_rid = null
        where ${device} and started_at = cast(${slot('startedAt')} as bigint) returning id`,
    ),
    /** No run is waited for any more. */
    forgetStart: named(
      'forgetStart',
      sql`update ${devices} set started_at = null, started_rid = null where ${device} returning id`,
    ),
    removeAll: named(
      'removeAll',
      sql`delete from ${pings} where project = cast(${slot('project')} as bigint) and device = ${slot('device')}
        returning slot`,
    ),
    /** Pings older than the retention, `step` at once. */
    sweep: named(
      'sweep',
      sql`delete from ${pings} where (project, device, slot) in
          (select project, device, slot from ${pings}
            where received_at < ${now} - cast(${slot('retention')} as bigint)
            order by received_at limit cast(${slot('step')} as bigint))
        returning slot`,
    ),
  }
}
