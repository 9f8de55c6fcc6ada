import { type Dialect, identifier, type Sql, sql } from '@rowlock/core'
import { instant, slot, template } from '@rowlock/core/module'

const tokens = identifier('rowlock_tokens')
const columns = sql`id, name, scopes, project, created_at, revoked_at`

export type TokenStatements = ReturnType<typeof tokenStatements>

export function tokenStatements(dialect: Dialect) {
  const named = (name: string, piece: Sql) => template(dialect, `tokens.${name}`, piece)
  const now = instant(dialect, slot('now'))
  const values = sql`(name, hash, scopes, project, created_at)
    values (${slot('name')}, ${slot('hash')}, ${slot('scopes')}, ${slot('project')}, ${now})`
  return {
    /** No row: the name is taken. */
    add: named('add', sql`insert into ${tokens} ${values} on conflict do nothing returning ${columns}`),
    /** The first token of a hub: written only while there is none at all. */
    addFirst: named(
      'addFirst',
      sql`insert into ${tokens} (name, hash, scopes, project, created_at)
        select 'admin', ${slot('hash')}, 'admin', null, ${now}
        where not exists (select 1 from ${tokens})
        on conflict do nothing returning ${columns}`,
    ),
    /** A new secret for the name, made if it is missing, alive again if it was revoked. */
    reset: named(
      'reset',
      sql`insert into ${tokens} ${values}
        on conflict (name) do update set hash = excluded.hash, scopes = excluded.scopes,
          project = excluded.project, revoked_at = null
        returning ${columns}`,
    ),
    revoke: named(
      'revoke',
      sql`update ${tokens} set revoked_at = ${now} where name = ${slot('name')} and revoked_at is null
        returning ${columns}`,
    ),
  }
}
