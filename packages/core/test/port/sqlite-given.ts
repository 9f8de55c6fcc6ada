import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { sqlite } from '../../src/drivers/sqlite.ts'

const SCHEMA = `
  create table t (key text primary key not null, amount integer) strict;
  create table child (parent text references t (key) deferrable initially deferred) strict;
  create trigger poison before insert on t when new.key = 'poison' begin select raise(rollback, 'poisoned'); end`

export function memory(t: TestContext) {
  const database = new DatabaseSync(':memory:')
  t.after(() => database.close())
  database.exec(SCHEMA)
  return { database, driver: sqlite(database), keys: () => keysOf(database) }
}

/** Two connections to one file. */
export function file(t: TestContext, options?: { waitAtMost: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'rowlock-'))
  const [database, other] = [1, 2].map(() => new DatabaseSync(join(folder, 'a.db'))) as [
    DatabaseSync,
    DatabaseSync,
  ]
  t.after(() => {
    database.close()
    other.close()
    rmSync(folder, { recursive: true })
  })
  database.exec('pragma journal_mode = wal; pragma synchronous = off')
  database.exec(SCHEMA)
  return { database, other, driver: sqlite(database, options), keys: () => keysOf(other) }
}

const keysOf = (database: DatabaseSync) =>
  database
    .prepare('select key from t order by key')
    .all()
    .map((row) => row.key)
