import { identifier, type Sql, sql } from '@rowlock/core'

/** Where the alerts of a device go: to every destination of its project. A sub-select of scope, subject_id, destination. */
export function allDestinations(): Sql {
  return sql`select s.scope as scope, s.id as subject_id, d.id as destination
    from ${identifier('rowlock_destinations')} d
    join ${identifier('rowlock_subjects')} s on s.scope = cast(d.project as text)
    where d.enabled = 1 and d.removed_at is null`
}
