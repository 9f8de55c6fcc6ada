import { type SqliteDatabase, sqlite } from '../drivers/sqlite.ts'
import type { Driver } from '../port/driver.ts'
import type { Engine } from './engine.ts'
import { sequential } from './sequential.ts'
import { takeSnapshot } from './snapshot.ts'

/** A connection to a database, as node:sqlite and better-sqlite3 have it. */
export interface ClosableDatabase extends SqliteDatabase {
  close(): unknown
}

/**
 * SQLite in memory, from node:sqlite: the engine on which every order can be run. Statements and
 * batches are serial there as they are on every SQLite and on D1, so what holds in every order of
 * them holds on all of these.
 */
export function memory(open: () => ClosableDatabase = openNodeSqlite): Engine {
  return memoryEngine('node:sqlite, memory', open, (driver) => driver)
}

/** The same without an atomic batch: statements of a batch commit one by one. */
export function memorySequential(open: () => ClosableDatabase = openNodeSqlite): Engine {
  const engine = memoryEngine('node:sqlite, memory, no atomic batch', open, sequential)
  return { ...engine, lacks: { ...engine.lacks, atomic: 'its statements run one by one' } }
}

function memoryEngine(name: string, open: () => ClosableDatabase, wrap: (driver: Driver) => Driver): Engine {
  return {
    name,
    lacks: {
      peer: 'a database in memory belongs to one connection',
      crash: 'a database in memory ends with its connection',
    },
    async open() {
      const database = open()
      return {
        driver: wrap(sqlite(database)),
        snapshot: () => takeSnapshot(database),
        dispose: async () => void database.close(),
      }
    },
  }
}

function openNodeSqlite(): ClosableDatabase {
  // Asked for at run time, so that the kit can be bundled for where there is no node:sqlite.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  return new DatabaseSync(':memory:')
}
