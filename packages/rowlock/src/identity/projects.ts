import { ConflictError, NotFoundError, type Row } from '@rowlock/core'
import { duration, plainText } from '@rowlock/core/module'
import type { Ground } from '../ground.ts'
import { allProjects, projectById, projectByKey, projectByName } from './queries.ts'
import type { ProjectRow } from './rows.ts'
import { newIngestKey } from './secrets.ts'
import { projectStatements } from './statements/projects.ts'

/** Where events belong: its own ingest key, its own cool-down. */
export interface Project {
  readonly id: number
  readonly name: string
  /** 32 hex digits; sends events and can do nothing else. */
  readonly ingestKey: string
  /** The cool-down in ms: one win per issue in this time. */
  readonly windowMs: number
  readonly createdAt: number
}

export interface Projects {
  /** @throws ConflictError when the name is taken. */
  add(name: string, options: { window: number | string }): Promise<Project>
  /** The oldest project; one of this name when there is none yet. */
  first(name: string, window: number): Promise<Project>
  list(): Promise<Project[]>
  byKey(key: string): Promise<Project | undefined>
  /** By number or name. */
  find(idOrName: number | string): Promise<Project | undefined>
  /** A new ingest key. The old one is refused at once here, within seconds on other nodes. */
  rotate(id: number): Promise<Project>
  setWindow(id: number, window: number | string): Promise<Project>
}

const NAME_LENGTH = 100

export function createProjects({ driver, reader, now }: Ground): Projects {
  const statements = projectStatements(driver.dialect)
  const changed = (id: number, rows: readonly Row[]) => {
    if (rows[0] === undefined) throw new NotFoundError(`project ${id}`)
    return project(rows[0] as Row & ProjectRow)
  }
  return {
    async add(name, { window }) {
      const values = {
        name: plainText('name', name, NAME_LENGTH),
        window: duration('window', window),
        key: newIngestKey(),
        now: now(),
      }
      const [row] = await driver.execute(statements.add.with(values))
      if (row === undefined) throw new ConflictError(`there is already a project named ${name}`, { name })
      return project(row as Row & ProjectRow)
    },
    async first(name, window) {
      const [oldest] = await allProjects(reader)
      if (oldest !== undefined) return project(oldest)
      const values = { name, window, key: newIngestKey(), now: now() }
      // No row: another starter has just made it.
      const [row = await projectByName(reader, name)] = await driver.execute(statements.add.with(values))
      return project(row as Row & ProjectRow)
    },
    list: async () => (await allProjects(reader)).map(project),
    byKey: async (key) => (/^[0-9a-f]{32}$/.test(key) ? maybe(await projectByKey(reader, key)) : undefined),
    find: async (wanted) =>
      maybe(
        typeof wanted === 'number' ? await projectById(reader, wanted) : await projectByName(reader, wanted),
      ),
    async rotate(id) {
      return changed(id, await driver.execute(statements.rotate.with({ id, key: newIngestKey() })))
    },
    async setWindow(id, window) {
      const values = { id, window: duration('window', window) }
      return changed(id, await driver.execute(statements.setWindow.with(values)))
    },
  }
}

function maybe(row: ProjectRow | undefined): Project | undefined {
  return row === undefined ? undefined : project(row)
}

function project(row: ProjectRow): Project {
  return {
    id: row.id,
    name: row.name,
    ingestKey: row.ingest_key,
    windowMs: row.window_ms,
    createdAt: row.created_at,
  }
}
