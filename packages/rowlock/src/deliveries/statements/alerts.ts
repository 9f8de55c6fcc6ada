import { type Dialect, identifier, type Sql, sql } from '@rowlock/core'

/**
 * Which destinations are told of which device's outages, as a sub-select with the columns scope, subject_id and destination. A
 * scope is a project's number. A destination gets those of all devices of its project, or, where it has tags, of the
 * devices that have one of them; one for issues only gets none.
 *
 * Joined with a few outages it costs a few look-ups. SQLite keeps the order of a CROSS JOIN: without it, it may go from a
 * destination to all devices of its project first.
 */
export function alertDestinations(dialect: Dialect): Sql {
  const tagsOf = (column: Sql) => sql`select value from ${dialect.texts(column)} as listed`
  return sql`select s.scope as scope, s.id as subject_id, d.id as destination
    from ${identifier('rowlock_subjects')} s
    cross join ${identifier('rowlock_destinations')} d
    where cast(d.project as text) = s.scope and d.enabled = 1 and d.removed_at is null
      and s.deleted_at is null and not exists (
      select 1 from ${identifier('rowlock_destination_settings')} x
      where x.destination = d.id and (x.about = 'issues' or (x.tags <> '[]' and not exists (
        select 1 from (${tagsOf(sql`x.tags`)}) as wanted
        where wanted.value in (${tagsOf(sql`coalesce(s.tags, '[]')`)})))))`
}
