import { type Dialect, identifier, type Sql, sql } from '@rowlock/core'
import { instant, slot, template } from '@rowlock/core/module'

/** What people do with an issue. Each is one conditional write; no row means it was so already, or is not there. */
export function issueStatements(dialect: Dialect) {
  const issues = identifier('rowlock_issues')
  const now = instant(dialect, slot('now'))
  const named = (name: string, assignments: Sql, condition: Sql) =>
    template(
      dialect,
      `issues.${name}`,
      sql`update ${issues} set ${assignments} where id = ${slot('id')} and ${condition} returning id`,
    )
  return {
    resolve: named(
      'resolve',
      sql`state = 'resolved', resolved_at = ${now}, snoozed_until = null`,
      sql`state <> 'resolved'`,
    ),
    ignore: named(
      'ignore',
      sql`state = 'ignored', resolved_at = null, snoozed_until = null`,
      sql`state <> 'ignored'`,
    ),
    snooze: named(
      'snooze',
      sql`state = 'snoozed', resolved_at = null, snoozed_until = ${now} + cast(${slot('length')} as bigint)`,
      sql`true`,
    ),
    reopen: named(
      'reopen',
      sql`state = 'open', resolved_at = null, snoozed_until = null`,
      sql`state <> 'open'`,
    ),
  }
}
