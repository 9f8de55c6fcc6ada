import type { Driver } from '@rowlock/core'
import { integer, text } from '@rowlock/core/module'
import type { Devices } from '../device/devices.ts'
import { circleError, findCircles } from '../device/parents.ts'
import type { DeviceWriter } from '../device/writer.ts'
import { deviceStatements } from '../statements/devices.ts'
import type { Saved } from '../types.ts'
import type { Watch } from '../watch.ts'
import { devicesFromCsv } from './csv.ts'
import { devicesFromHealthchecks } from './healthchecks.ts'
import { type ImportRows, type RowError, rowError } from './rows.ts'
import { textOf } from './text.ts'

/** What an import did, or, as a dry run, would do. With `errors` it did nothing, and all figures are 0. */
export interface ImportResult extends Saved {
  readonly dryRun: boolean
  readonly rows: number
  /** Devices that were paused where they come from, and are here. */
  readonly paused: number
  /** The first 100. */
  readonly errors: readonly RowError[]
  readonly errorCount: number
  readonly notes: readonly RowError[]
}

export interface ImportOptions {
  readonly dryRun?: boolean
}

export interface Imports {
  /**
   * Devices from CSV: UTF-8 or Shift_JIS, a header, then one a line.
   * @throws InvalidInputError for what is no such file; what is wrong with a row is told in `errors`.
   */
  csv(
    project: number,
    file: Uint8Array | string,
    options?: ImportOptions & { readonly encoding?: string },
  ): Promise<ImportResult>
  /** A project of Healthchecks, from the answer of its `GET /api/v3/checks/`, parsed. @throws InvalidInputError */
  healthchecks(project: number, checks: unknown, options?: ImportOptions): Promise<ImportResult>
}

const MOST_TOLD = 100

export function createImports(
  driver: Driver,
  { writer, devices, watch }: { writer: DeviceWriter; devices: Devices; watch: Watch },
): Imports {
  const statements = deviceStatements(driver.dialect)

  /** Ping addresses that other devices have, and ids that have other addresses. */
  const taken = async (
    project: number,
    { devices: given, rowOf }: ImportRows,
  ): Promise<readonly RowError[]> => {
    const named = given.flatMap(({ id, uuid }) => (uuid === undefined ? [] : [{ id, uuid }]))
    if (named.length === 0) return []
    const uuids = JSON.stringify(named.map(({ uuid }) => uuid))
    const owners = new Map(
      (await driver.execute(statements.owners.with({ uuids }))).map((row) => [
        text(row, 'uuid'),
        { project: integer(row, 'project'), id: text(row, 'id') },
      ]),
    )
    const rows = await devices.rows(
      project,
      named.map(({ id }) => id),
    )
    return named.flatMap(({ id, uuid }) => {
      const owner = owners.get(uuid)
      const own = rows.get(id)
      const problem =
        owner !== undefined && (owner.project !== project || owner.id !== id)
          ? `its ping address belongs to ${owner.id}${owner.project === project ? '' : ` of project ${owner.project}`}`
          : own !== undefined && own.uuid !== uuid
            ? 'it is there already, with another ping address'
            : undefined
      return problem === undefined
        ? []
        : [{ row: rowOf.get(id) ?? 1, column: 'ping_url', message: `${id}: ${problem}` }]
    })
  }

  const circles = async (project: number, { devices: given, rowOf }: ImportRows) =>
    [...(await findCircles(watch, project, given))].map(([id, problem]) =>
      rowError(rowOf.get(id) ?? 1, circleError(id, problem)),
    )

  const run = async (
    project: number,
    rows: ImportRows & { readonly paused?: readonly string[] },
    { dryRun = false }: ImportOptions,
  ): Promise<ImportResult> => {
    const { paused = [], notes } = rows
    const errors = [...rows.errors, ...(await taken(project, rows)), ...(await circles(project, rows))]
    const total = rows.devices.length + rows.errors.length
    const told = { dryRun, rows: total, notes: notes.slice(0, MOST_TOLD) }
    if (errors.length > 0) {
      const none = { created: 0, changed: 0, unchanged: 0, paused: 0 }
      return { ...told, ...none, errors: errors.slice(0, MOST_TOLD), errorCount: errors.length }
    }
    const saved = await writer.save(project, rows.devices, { dryRun })
    if (!dryRun) for (const id of paused) await devices.pause(project, id)
    return { ...told, ...saved, paused: paused.length, errors: [], errorCount: 0 }
  }

  return {
    csv: async (project, file, { encoding, ...options } = {}) =>
      await run(project, devicesFromCsv(typeof file === 'string' ? file : textOf(file, encoding)), options),
    healthchecks: async (project, checks, options = {}) =>
      await run(project, devicesFromHealthchecks(checks), options),
  }
}
