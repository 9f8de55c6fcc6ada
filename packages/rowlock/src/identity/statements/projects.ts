import { type Dialect, identifier, type Sql, sql } from '@rowlock/core'
import { instant, slot, template } from '@rowlock/core/module'

const projects = identifier('rowlock_projects')
const columns = sql`id, name, ingest_key, window_ms, created_at`

export type ProjectStatements = ReturnType<typeof projectStatements>

export function projectStatements(dialect: Dialect) {
  const named = (name: string, piece: Sql) => template(dialect, `projects.${name}`, piece)
  return {
    /** No row: the name is taken. */
    add: named(
      'add',
      sql`insert into ${projects} (name, ingest_key, window_ms, created_at)
        values (${slot('name')}, ${slot('key')}, ${slot('window')}, ${instant(dialect, slot('now'))})
        on conflict do nothing returning ${columns}`,
    ),
    /** The old key is refused from then on. */
    rotate: named(
      'rotate',
      sql`update ${projects} set ingest_key = ${slot('key')} where id = ${slot('id')} returning ${columns}`,
    ),
    setWindow: named(
      'setWindow',
      sql`update ${projects} set window_ms = ${slot('window')} where id = ${slot('id')} returning ${columns}`,
    ),
  }
}
