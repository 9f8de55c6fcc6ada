import { type Dialect, identifier, sql } from '@rowlock/core'
import { slot, type Template, template } from '@rowlock/core/module'

/** Remembers the count at this run's wins and at the wins before, so that a notice can say how many came between. */
export function mark(dialect: Dialect): Template {
  return template(
    dialect,
    'events.mark',
    sql`update ${identifier('rowlock_issues')} set won_count_before = won_count, won_count = count
      where id in (select value from ${dialect.texts(slot('ids'))} as ids) and holder = ${slot('run')}
      returning id`,
  )
}
