import { type Dialect, identifier, sql } from '@rowlock/core'
import { instant, slot, template } from '@rowlock/core/module'

/** Removes what is kept for a time only, `step` rows at once; a full step means that there is more. */
export function sweepStatements(dialect: Dialect) {
  const seen = identifier('rowlock_seen')
  const rejected = identifier('rowlock_rejected')
  const hours = identifier('rowlock_hours')
  const before = sql`${instant(dialect, slot('now'))} - cast(${slot('retention')} as bigint)`
  const step = sql`cast(${slot('step')} as bigint)`
  return {
    /** Ids older than the retention, and the oldest beyond `most`. Numbers rise with time. */
    seen: template(
      dialect,
      'events.sweepSeen',
      sql`delete from ${seen} where number in (select number from ${seen} order by number limit ${step})
        and (seen_at < ${before} or number <= (select max(number) from ${seen}) - cast(${slot('most')} as bigint))
        returning number`,
    ),
    rejected: template(
      dialect,
      'events.sweepRejected',
      sql`delete from ${rejected} where number in (select number from ${rejected} order by number limit ${step})
        and at < ${before} returning number`,
    ),
    hours: template(
      dialect,
      'events.sweepHours',
      sql`delete from ${hours} where (issue, hour) in
        (select issue, hour from ${hours} where hour < ${before} order by hour limit ${step})
        returning hour`,
    ),
  }
}
