import { type Dialect, identifier, sql } from '@rowlock/core'
import { instant, slot, type Template, template } from '@rowlock/core/module'
import { freshEvents } from './fresh.ts'

/** The fields of one element of the `issues` parameter. */
export interface IssueItem {
  readonly id: string
  readonly project: number
  readonly key: string
  readonly version: number
  readonly source: string
  readonly level: string
  readonly title: string
}

/** An event must be later than the resolution by more than this to reopen its issue: clocks differ. */
export const REOPEN_AFTER_MS = 5_000

/**
 * Adds this run's new events to their issues, one row each. A resolved issue that happens again is
 * open again, with a new generation and its claim free, so that it is worked on at once; an older
 * event is only counted. Gives back every issue that was touched.
 */
export function count(dialect: Dialect): Template {
  const issues = identifier('rowlock_issues')
  const now = instant(dialect, slot('now'))
  const returns = sql`(${issues}.state = 'resolved'
        and excluded.last_seen > ${issues}.resolved_at + cast(${slot('after')} as bigint))`
  const wakes = sql`(${issues}.state = 'snoozed' and ${issues}.snoozed_until <= ${now})`
  return template(
    dialect,
    'events.count',
    sql`insert into ${issues} (id, project, fingerprint, fingerprint_version, source, level, title,
        first_seen, last_seen, count, run, created_at)
      select g.value ->> 'id', cast(g.value ->> 'project' as bigint), g.value ->> 'key',
        cast(g.value ->> 'version' as bigint), g.value ->> 'source', g.value ->> 'level', g.value ->> 'title',
        n.first_seen, n.last_seen, n.count, ${slot('run')}, ${now}
      from ${dialect.objects(slot('issues'))} as g
      join (select issue, min(at) as first_seen, max(at) as last_seen, count(*) as count
        from ${freshEvents(dialect)} as fresh group by issue) n on n.issue = g.value ->> 'id'
      where true
      order by 1
      on conflict (id) do update set
        count = ${issues}.count + excluded.count,
        first_seen = case when excluded.first_seen < ${issues}.first_seen
          then excluded.first_seen else ${issues}.first_seen end,
        last_seen = case when excluded.last_seen > ${issues}.last_seen
          then excluded.last_seen else ${issues}.last_seen end,
        run = excluded.run,
        returned_run = case when ${returns} then excluded.run else ${issues}.returned_run end,
        generation = ${issues}.generation + case when ${returns} then 1 else 0 end,
        claimed_at = case when ${returns} then null else ${issues}.claimed_at end,
        snoozed_until = case when ${wakes} then null else ${issues}.snoozed_until end,
        state = case when ${returns} or ${wakes} then 'open' else ${issues}.state end
      returning id, state, count, generation`,
  )
}
