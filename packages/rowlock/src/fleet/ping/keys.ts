import { NotFoundError } from '@rowlock/core'
import type { Ground } from '../../ground.ts'
import { REMEMBERED_MS } from '../../identity/credentials.ts'
import { base64url, hashOf } from '../../identity/secrets.ts'
import { pingKeyByHash, pingKeyOf } from '../queries.ts'
import { pingKeyStatements } from '../statements/ping-keys.ts'

/** The keys in `/ping/<key>/<slug>`: one for a project, stored as its hash, and shown only when it is made. */
export interface PingKeys {
  /** A new key; the one before is refused, on other nodes within seconds. @throws NotFoundError for no project. */
  rotate(project: number): Promise<{ readonly key: string; readonly createdAt: number }>
  /** The project whose key this is, from memory only. */
  recall(key: string): number | undefined
  /** The project whose key this is. */
  projectOf(key: string): Promise<number | undefined>
  /** When the project's key was made; null for none. */
  madeAt(project: number): Promise<number | null>
}

const MOST_REMEMBERED = 1_000

export function createPingKeys({ driver, reader, clock, now }: Ground): PingKeys {
  const statements = pingKeyStatements(driver.dialect)
  const remembered = new Map<string, { project: number; until: number }>()
  const recall = (key: string) => {
    const known = remembered.get(key)
    return known !== undefined && known.until > clock() ? known.project : undefined
  }
  return {
    async rotate(project) {
      const key = base64url(crypto.getRandomValues(new Uint8Array(16)))
      const values = { project, hash: await hashOf(key), now: now() }
      const [row] = await driver.execute(statements.set.with(values))
      if (row === undefined) throw new NotFoundError(`project ${project}`)
      remembered.clear()
      return { key, createdAt: Number(row.created_at) }
    },
    recall,
    async projectOf(key) {
      const known = recall(key)
      if (known !== undefined) return known
      const project = (await pingKeyByHash(reader, await hashOf(key)))?.project
      if (remembered.size >= MOST_REMEMBERED) remembered.clear()
      if (project !== undefined) remembered.set(key, { project, until: clock() + REMEMBERED_MS })
      return project
    },
    madeAt: async (project) => (await pingKeyOf(reader, project))?.created_at ?? null,
  }
}
