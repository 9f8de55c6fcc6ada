import type { Dialect } from '../port/dialect.ts'
import type { ModuleSchema } from '../port/schema.ts'
import { type Sql, statement } from '../port/sql.ts'
import { createMigrations, recordMigration } from './statements.ts'
import { tableNames } from './tables.ts'

/** One migration as a file. */
export interface SqlFile {
  /** Such as `0001_rowlock_claims.sql`: sorted by name, the files stand in order. */
  readonly name: string
  /** One statement a line, each ended by a semicolon: D1's `exec()` takes a line for a statement. */
  readonly text: string
}

/** One file for each migration. They can be applied more than once, and beside the installer. */
export function sqlFiles(
  dialect: Dialect,
  schemas: readonly ModuleSchema[],
  prefix?: string,
  firstNumber = 1,
): SqlFile[] {
  const tables = tableNames(prefix)
  const steps = schemas.flatMap((schema) => schema.migrations.map((migration) => ({ schema, migration })))
  return steps.map(({ schema, migration }, index) => {
    const pieces = [
      createMigrations(dialect, tables),
      ...migration.statements(dialect, tables),
      recordMigration(dialect, tables, schema, migration),
    ]
    const number = String(firstNumber + index).padStart(4, '0')
    const version = migration.number === 1 ? '' : `_${migration.number}`
    const name = `${number}_rowlock_${schema.module}${version}.sql`
    return { name, text: pieces.map((piece) => `${onOneLine(dialect, piece)};\n`).join('') }
  })
}

function onOneLine(dialect: Dialect, piece: Sql): string {
  return statement(dialect, piece, { name: 'install' }).text.replace(/\s*\n\s*/g, ' ')
}
