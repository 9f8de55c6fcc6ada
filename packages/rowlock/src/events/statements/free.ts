import { type Dialect, identifier, sql } from '@rowlock/core'
import { slot, type Template, template } from '@rowlock/core/module'

/**
 * Between a win and the freeing of its claim lies at least this: a destination that refuses at once
 * would otherwise be asked once per event.
 */
export const FREED_AFTER_MS = 60_000

/**
 * Ends a win's window early when all of its deliveries are dead, so that the next event wins again:
 * a failure is never paid for with silence. A later win of the issue is left alone.
 */
export function free(dialect: Dialect): Template {
  const issues = identifier('rowlock_issues')
  const earliest = sql`${issues}.claimed_at + cast(${slot('after')} as bigint)`
  return template(
    dialect,
    'events.free',
    sql`update ${issues} set expires_at = case when expires_at < ${earliest} then expires_at else ${earliest} end
      where id = ${slot('issue')} and token = cast(${slot('token')} as bigint) and claimed_at is not null
        and not exists (select 1
          from ${identifier('rowlock_destinations')} d
          join ${identifier('rowlock_outbox')} o on o.dedup_key = ${issues}.id || ':' || ${issues}.token || ':' || d.id
          where d.project = ${issues}.project and o.state <> 'dead')
      returning id`,
  )
}
