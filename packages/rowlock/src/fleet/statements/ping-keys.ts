import { type Dialect, identifier, sql } from '@rowlock/core'
import { instant, slot, template } from '@rowlock/core/module'

export function pingKeyStatements(dialect: Dialect) {
  const keys = identifier('rowlock_ping_keys')
  return {
    /** The project's only key; the one before is refused from then on. No row: there is no such project. */
    set: template(
      dialect,
      'pingKeys.set',
      sql`insert into ${keys} (project, hash, created_at)
        select id, ${slot('hash')}, ${instant(dialect, slot('now'))} from ${identifier('rowlock_projects')}
        where id = cast(${slot('project')} as bigint)
        on conflict (project) do update set hash = excluded.hash, created_at = excluded.created_at
        returning created_at`,
    ),
  }
}
