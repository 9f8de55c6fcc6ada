import { type Dialect, identifier, sql } from '@rowlock/core'
import { slot, type Template, template } from '@rowlock/core/module'

/** What stands in the rows of these issues: their counts, and the run that holds each. */
export function totals(dialect: Dialect): Template {
  return template(
    dialect,
    'events.totals',
    sql`select id, count, holder from ${identifier('rowlock_issues')}
      where id in (select value from ${dialect.texts(slot('ids'))} as ids)`,
  )
}
