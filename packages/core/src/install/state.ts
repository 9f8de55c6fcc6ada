import { SchemaError } from '../errors.ts'
import type { Driver } from '../port/driver.ts'
import { integer, text } from '../port/row.ts'
import type { ModuleSchema, TableNames } from '../port/schema.ts'
import { appliedMigrations } from './statements.ts'

/** How the tables of one module stand against what this code knows. */
export interface ModuleState {
  readonly module: string
  /** `behind`: migrations are missing. `ahead`: a newer version of Rowlock has been here. */
  readonly state: 'current' | 'behind' | 'ahead'
  /** Numbers of the migrations that have been applied. */
  readonly applied: readonly number[]
  /** Numbers of the migrations that are still to be applied. */
  readonly missing: readonly number[]
}

/** Asks which migrations have been applied. A database without the table of migrations has none. */
export async function readStates(
  driver: Driver,
  tables: TableNames,
  schemas: readonly ModuleSchema[],
): Promise<ModuleState[]> {
  const applied = await readApplied(driver, tables)
  return schemas.map((schema) => stateOf(schema, applied.get(schema.module) ?? []))
}

async function readApplied(driver: Driver, tables: TableNames): Promise<Map<string, number[]>> {
  const applied = new Map<string, number[]>()
  for (const row of await rowsOf(driver, tables)) {
    const module = text(row, 'module')
    applied.set(module, [...(applied.get(module) ?? []), integer(row, 'number')])
  }
  return applied
}

async function rowsOf(driver: Driver, tables: TableNames) {
  try {
    return await driver.execute(appliedMigrations(driver.dialect, tables))
  } catch (error) {
    if (error instanceof SchemaError && error.problem === 'missing-table') return []
    throw error
  }
}

function stateOf({ module, migrations }: ModuleSchema, found: readonly number[]): ModuleState {
  const applied = [...found].sort((left, right) => left - right)
  const known = migrations.map(({ number }) => number)
  const missing = known.filter((number) => !applied.includes(number))
  const ahead = applied.some((number) => !known.includes(number))
  return { module, applied, missing, state: ahead ? 'ahead' : missing.length > 0 ? 'behind' : 'current' }
}

/** @throws SchemaError (`version`) when a newer version of Rowlock has changed the tables. */
export function refuseAhead(states: readonly ModuleState[], schemas: readonly ModuleSchema[]): void {
  for (const { module, state, applied } of states) {
    if (state !== 'ahead') continue
    const known = schemas.find((schema) => schema.module === module)!.migrations.length
    throw new SchemaError(
      'version',
      `the tables of ${module} are newer (migration ${applied.at(-1)}) than this version of Rowlock knows (${known}); update @rowlock/core`,
      { module, known, applied: applied.at(-1) },
    )
  }
}

/** @throws SchemaError (`version`) when migrations are missing. */
export function refuseBehind(states: readonly ModuleState[]): void {
  for (const { module, state, missing } of states) {
    if (state !== 'behind') continue
    throw new SchemaError(
      'version',
      `the tables of ${module} lack migration ${missing.join(', ')}; run install(driver) or \`rowlock migrate\``,
      { module, missing },
    )
  }
}
