import { type Dialect, identifier, type Sql, sql } from '@rowlock/core'
import { instant, slot, template } from '@rowlock/core/module'

const destinations = identifier('rowlock_destinations')
const columns = sql`id, project, kind, url, secret, enabled, disabled_reason, created_at, removed_at`

export function destinationStatements(dialect: Dialect) {
  const named = (name: string, piece: Sql) => template(dialect, `destinations.${name}`, piece)
  const now = instant(dialect, slot('now'))
  return {
    /** No row: there is no such project. */
    add: named(
      'add',
      sql`insert into ${destinations} (id, project, kind, url, secret, created_at)
        select ${slot('id')}, p.id, 'webhook', ${slot('url')}, ${slot('secret')}, ${now}
        from ${identifier('rowlock_projects')} p where p.id = cast(${slot('project')} as bigint)
        returning ${columns}`,
    ),
    setUrl: named(
      'setUrl',
      sql`update ${destinations} set url = ${slot('url')}
        where id = ${slot('id')} and removed_at is null returning ${columns}`,
    ),
    enable: named(
      'enable',
      sql`update ${destinations} set enabled = 1, disabled_reason = null
        where id = ${slot('id')} and removed_at is null returning ${columns}`,
    ),
    disable: named(
      'disable',
      sql`update ${destinations} set enabled = 0, disabled_reason = ${slot('reason')}
        where id = ${slot('id')} and removed_at is null returning ${columns}`,
    ),
    /** The row stays: what was sent there still names it. */
    remove: named(
      'remove',
      sql`update ${destinations} set enabled = 0, removed_at = ${now}
        where id = ${slot('id')} and removed_at is null returning ${columns}`,
    ),
  }
}
