import type { SqliteDatabase } from '../drivers/sqlite.ts'

/**
 * Remembers what a small SQLite database holds and brings it back in microseconds: the fresh
 * database of each order of an exploration. It gives up, with false, where putting rows back would
 * not be the same as a fresh database: when the schema has changed since, or there are triggers or
 * virtual tables.
 */
export function takeSnapshot(database: SqliteDatabase): () => boolean {
  const version = schemaVersion(database)
  const objects = all(database, `select type, name, sql from sqlite_schema`)
  const plain = objects.every(({ type, sql }) => type !== 'trigger' && !/^create virtual/i.test(String(sql)))
  const tables = objects
    .filter(({ type, name }) => type === 'table' && !/^sqlite_(?!sequence$)/.test(String(name)))
    .map(({ name }) => String(name))
    // The counters of AUTOINCREMENT last: putting rows back moves them.
    .sort((left, right) => Number(left === 'sqlite_sequence') - Number(right === 'sqlite_sequence'))
    .map((name) => rememberTable(database, name))
  return () => {
    if (!plain || database.inTransaction || database.isTransaction) return false
    if (schemaVersion(database) !== version) return false
    database.exec('pragma foreign_keys = off; begin')
    for (const putBack of tables) putBack()
    database.exec('commit; pragma foreign_keys = on')
    return true
  }
}

function rememberTable(database: SqliteDatabase, name: string): () => void {
  const table = quoted(name)
  const info = all(database, `select name, type, pk from pragma_table_info('${name.replaceAll("'", "''")}')`)
  const columns = info.map((column) => quoted(String(column.name)))
  // Rowids are data as well: they are the order in which a table without an index is read.
  if (hasRowid(database, table) && !aliasesRowid(info)) columns.unshift('rowid')
  const rows = all(database, `select ${columns.join(', ')} from ${table}`).map((row) => Object.values(row))
  const empty = database.prepare(`delete from ${table}`)
  const insert = database.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
  return () => {
    empty.run()
    for (const row of rows) insert.run(...(row as never[]))
  }
}

function aliasesRowid(info: readonly Record<string, unknown>[]): boolean {
  const keys = info.filter(({ pk }) => Number(pk) > 0)
  return keys.length === 1 && String(keys[0]!.type).toLowerCase() === 'integer'
}

function hasRowid(database: SqliteDatabase, table: string): boolean {
  try {
    database.prepare(`select rowid from ${table} limit 0`)
    return true
  } catch {
    return false
  }
}

function schemaVersion(database: SqliteDatabase): number {
  return Number(all(database, 'pragma schema_version')[0]!.schema_version)
}

function all(database: SqliteDatabase, text: string): Record<string, unknown>[] {
  const statement = database.prepare(text)
  statement.setReadBigInts?.(true)
  statement.safeIntegers?.(true)
  return statement.all() as Record<string, unknown>[]
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
