import { type Dialect, identifier, type Sql, sql } from '@rowlock/core'
import { perDialect, slot } from '@rowlock/core/module'

/** The events that this run has counted: project, event_id, issue, at. Stands behind `see` in the same batch. */
export function freshEvents(dialect: Dialect): Sql {
  const seen = identifier('rowlock_seen')
  return perDialect(dialect, {
    // One writer at a time, and numbers without gaps: they are among the last rows of the table.
    sqlite: sql`(select project, event_id, issue, at from ${seen}
      where number > (select max(number) from ${seen}) - json_array_length(${slot('events')}) and run = ${slot('run')})`,
    // Other writers' rows lie between them: found by what they are called.
    postgres: sql`(select s.project, s.event_id, s.issue, s.at from ${dialect.objects(slot('events'))} as g
      join ${seen} s on s.project = cast(g.value ->> 'p' as bigint) and s.event_id = g.value ->> 'e'
      where s.run = ${slot('run')})`,
  })
}
