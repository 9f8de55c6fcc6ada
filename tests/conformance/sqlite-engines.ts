import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqlite } from '@rowlock/core/sqlite'
import type { ClosableDatabase, Engine } from '@rowlock/core/testing'

// It brings no types, and the few methods that count are written down in core.
const BetterSqlite = createRequire(import.meta.url)('better-sqlite3') as new (
  path: string,
) => ClosableDatabase

/** How a library opens a file or `:memory:`. */
type Open = (path: string) => ClosableDatabase

export const nodeSqlite: Open = (path) => new DatabaseSync(path)
export const betterSqlite: Open = (path) => new BetterSqlite(path)

/** One file, used by several connections of this process. */
export function fileEngine(library: string, open: Open): Engine {
  return {
    name: `${library}, file`,
    async open() {
      const file = temporaryFile()
      const opened: ClosableDatabase[] = []
      const connect = () => {
        const database = openFile(open, file.path)
        opened.push(database)
        return sqlite(database)
      }
      const driver = connect()
      return {
        driver,
        peer: async () => connect(),
        crash: async () => void opened.shift()?.close(),
        async dispose() {
          for (const database of opened) database.close()
          file.remove()
        },
      }
    },
  }
}

/** A connection as an application would open it. */
export function openFile(open: Open, path: string): ClosableDatabase {
  const database = open(path)
  database.exec('pragma journal_mode = wal; pragma synchronous = normal')
  return database
}

/** A path in a folder of its own. */
export function temporaryFile(): { path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'rowlock-sqlite-'))
  return { path: join(folder, 'test.db'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
