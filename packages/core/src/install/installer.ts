import { RowlockError } from '../errors.ts'
import type { Driver, Statement } from '../port/driver.ts'
import type { Migration, ModuleSchema, TableNames } from '../port/schema.ts'
import { type Sql, sql, statement } from '../port/sql.ts'
import { type ModuleState, readStates, refuseAhead, refuseBehind } from './state.ts'
import { createMigrations, recordMigration } from './statements.ts'
import { tableNames } from './tables.ts'

export interface InstallSchemasOptions {
  /** What every table's name begins with. Default `rowlock_`. */
  readonly prefix?: string
  /** Only tell what would be run. Default false. */
  readonly dryRun?: boolean
}

export interface Installed {
  /** The migrations that this call applied, or with `dryRun` would have applied. */
  readonly applied: readonly { module: string; number: number; name: string }[]
  /** The SQL of these, statement by statement. */
  readonly statements: readonly string[]
}

/**
 * Brings the tables of these modules up to date. Safe to call at every start, and from any number of
 * processes at once: each migration is applied by one of them, and all return when it has been.
 * @throws SchemaError (`version`) when a newer version of Rowlock has changed the tables already.
 */
export async function installSchemas(
  driver: Driver,
  schemas: readonly ModuleSchema[],
  { prefix, dryRun = false }: InstallSchemasOptions = {},
): Promise<Installed> {
  const tables = tableNames(prefix)
  const states = await readStates(driver, tables, schemas)
  refuseAhead(states, schemas)
  const missing = missingMigrations(schemas, states)
  const statements = missing.flatMap(({ schema, migration }) => [
    ...migration.statements(driver.dialect, tables),
    recordMigration(driver.dialect, tables, schema, migration),
  ])
  if (missing.length > 0) statements.unshift(createMigrations(driver.dialect, tables))
  const texts = statements.map((piece) => textOf(driver, piece))
  if (dryRun) return { applied: missing.map(nameOf), statements: texts }

  if (missing.length > 0) await createTable(driver, tables)
  const applied = []
  for (const one of missing) {
    if (await apply(driver, tables, one)) applied.push(nameOf(one))
  }
  return { applied, statements: texts }
}

/**
 * How the tables of these modules stand, without changing anything.
 * @throws SchemaError (`version`), with `require`, unless every one is up to date.
 */
export async function schemaStates(
  driver: Driver,
  schemas: readonly ModuleSchema[],
  { prefix, require = false }: { prefix?: string; require?: boolean } = {},
): Promise<ModuleState[]> {
  const states = await readStates(driver, tableNames(prefix), schemas)
  if (require) {
    refuseAhead(states, schemas)
    refuseBehind(states)
  }
  return states
}

interface Missing {
  readonly schema: ModuleSchema
  readonly migration: Migration
}

function missingMigrations(schemas: readonly ModuleSchema[], states: readonly ModuleState[]): Missing[] {
  return schemas.flatMap((schema, index) =>
    schema.migrations
      .filter(({ number }) => states[index]!.missing.includes(number))
      .map((migration) => ({ schema, migration })),
  )
}

function nameOf({ schema, migration }: Missing) {
  return { module: schema.module, number: migration.number, name: migration.name }
}

function textOf(driver: Driver, piece: Sql): string {
  return statement(driver.dialect, piece, { name: 'install' }).text
}

/** How often somebody else's CREATE TABLE may get in the way of ours before it must have been committed. */
const ATTEMPTS = 5

/**
 * On PostgreSQL two sessions that create a table `if not exists` at once do not both see that it is
 * there: the later one meets the catalogue's own unique index (23505) or the table (42P07) once the
 * earlier one has committed. Then the table stands, and asking again finds it.
 */
async function createTable(driver: Driver, tables: TableNames): Promise<void> {
  const create = statement(driver.dialect, createMigrations(driver.dialect, tables), {
    name: 'install.create',
  })
  for (let attempt = 1; ; attempt++) {
    try {
      await driver.execute(create)
      return
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof RowlockError)) throw error
    }
  }
}

/**
 * Applies one migration; false when somebody else has done so. Where batches are atomic the row in
 * the table of migrations is written first and must be ours, so exactly one of all starters goes on
 * to the statements behind it. Elsewhere it is written last: a starter that dies on the way leaves
 * statements which the next one can run again.
 */
async function apply(driver: Driver, tables: TableNames, { schema, migration }: Missing): Promise<boolean> {
  const { dialect } = driver
  const name = `install.${schema.module}-${migration.number}`
  const record = sql`${recordMigration(dialect, tables, schema, migration)} returning number`
  const changes = migration
    .statements(dialect, tables)
    .map((piece): Statement => statement(dialect, piece, { name }))
  if (!driver.atomicBatch) {
    const rows = await driver.batch([...changes, statement(dialect, record, { name: 'install.record' })])
    return rows.at(-1)!.length > 0
  }
  try {
    await driver.batch([statement(dialect, record, { name: 'install.record', expect: 1 }), ...changes])
    return true
  } catch (error) {
    const [state] = await readStates(driver, tables, [schema])
    if (state!.applied.includes(migration.number)) return false
    throw error
  }
}
