import { type Dialect, identifier, raw, type Sql, sql } from '@rowlock/core'
import { perDialect } from '@rowlock/core/module'

/**
 * One notice per destination for every issue that this run has won, as a sub-select for the outbox.
 * The dedup key is `<issue>:<token>:<destination>`: a win is told once to each. Destinations for outages
 * only get none.
 */
export function notices(
  dialect: Dialect,
  { topic, ids, run }: { topic: string; ids: string; run: string },
): Sql {
  const object = raw(perDialect(dialect, { sqlite: 'json_object', postgres: 'json_build_object' }))
  return sql`select cast(${topic} as text) as topic, d.id as destination,
      i.id || ':' || i.token || ':' || d.id as dedup_key, cast(null as text) as ordering_key,
      cast(${object}('issue', i.id, 'project', i.project, 'source', i.source, 'level', i.level,
        'title', i.title, 'state', i.state, 'generation', i.generation,
        'reopened', case when i.returned_run = i.run then 1 else 0 end,
        'count', i.count, 'newEvents', i.won_count - i.won_count_before,
        'firstSeenAt', i.first_seen, 'lastSeenAt', i.last_seen, 'wonAt', i.claimed_at,
        'token', i.token) as text) as payload,
      cast(null as bigint) as not_before
    from ${identifier('rowlock_issues')} i
    join ${identifier('rowlock_destinations')} d on d.project = i.project and d.enabled = 1 and d.removed_at is null
      and not exists (select 1 from ${identifier('rowlock_destination_settings')} x
        where x.destination = d.id and x.about = 'outages')
    where i.id in (select value from ${dialect.texts(sql`${ids}`)} as ids) and i.holder = ${run}`
}
