import { type Dialect, identifier, type Sql, sql } from '@rowlock/core'
import { instant, slot, template } from '@rowlock/core/module'

const sessions = identifier('rowlock_sessions')
const tokens = identifier('rowlock_tokens')

export type SessionStatements = ReturnType<typeof sessionStatements>

export function sessionStatements(dialect: Dialect) {
  const named = (name: string, piece: Sql) => template(dialect, `sessions.${name}`, piece)
  const now = instant(dialect, slot('now'))
  return {
    /** No row: the token was revoked in the meantime. */
    open: named(
      'open',
      sql`insert into ${sessions} (hash, token, created_at, expires_at)
        select ${slot('hash')}, id, ${now}, ${now} + cast(${slot('length')} as bigint)
        from ${tokens} where id = ${slot('token')} and revoked_at is null
        returning expires_at`,
    ),
    /** The token of a session that is neither over nor revoked. */
    identify: named(
      'identify',
      sql`select t.id, t.name, t.hash, t.scopes, t.project, t.created_at, t.revoked_at
        from ${sessions} s join ${tokens} t on t.id = s.token
        where s.hash = ${slot('hash')} and s.expires_at >= ${now} and t.revoked_at is null`,
    ),
    close: named('close', sql`delete from ${sessions} where hash = ${slot('hash')} returning hash`),
    sweep: named('sweep', sql`delete from ${sessions} where expires_at < ${now} returning hash`),
  }
}
