import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Driver } from '@rowlock/core'
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

/** A driver, and how to close the connection below it. */
export interface Connected {
  readonly driver: Driver
  close(): unknown
}

/** One file, used by several connections of this process. */
export function fileEngine(library: string, open: Open): Engine {
  return engineOver(`${library}, file`, (path) => {
    const database = openFile(open, path)
    return { driver: sqlite(database), close: () => database.close() }
  })
}

/** The same over whatever client `connect` brings. */
export function engineOver(name: string, connect: (path: string) => Connected): Engine {
  return {
    name,
    async open() {
      const file = temporaryFile()
      const opened: Connected[] = []
      const another = () => {
        const connected = connect(file.path)
        opened.push(connected)
        return connected.driver
      }
      const driver = another()
      return {
        driver,
        peer: async () => another(),
        crash: async () => void opened.shift()?.close(),
        async dispose() {
          for (const connected of opened) await connected.close()
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
