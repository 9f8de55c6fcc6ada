import type { Ground } from '../ground.ts'
import type { Project, Projects } from './projects.ts'
import type { Identity } from './scopes.ts'
import type { Tokens } from './tokens.ts'

/** What a secret that somebody sent turned out to be. */
export type Credential =
  | { readonly kind: 'token'; readonly identity: Identity }
  | { readonly kind: 'ingest key'; readonly project: Project }

/** Remembers valid secrets for a few seconds, so that a busy sender costs no look-up for each request. */
export interface Credentials {
  /** From memory only. */
  recall(secret: string): Credential | undefined
  /** From the database. Wrong secrets are not remembered. */
  look(secret: string): Promise<Credential | undefined>
  /** After a change of tokens or keys in this process. Other nodes notice within `REMEMBERED_MS`. */
  forget(): void
}

/** So long a revoked token or a rotated key may go on working on other nodes. */
export const REMEMBERED_MS = 5_000
const MOST_REMEMBERED = 1_000

export function createCredentials({ clock }: Ground, tokens: Tokens, projects: Projects): Credentials {
  const remembered = new Map<string, { credential: Credential; until: number }>()
  return {
    recall(secret) {
      const known = remembered.get(secret)
      if (known === undefined) return undefined
      if (known.until > clock()) return known.credential
      remembered.delete(secret)
      return undefined
    },
    async look(secret) {
      const credential = await identify(secret, tokens, projects)
      if (credential === undefined) return undefined
      if (remembered.size >= MOST_REMEMBERED) remembered.clear()
      remembered.set(secret, { credential, until: clock() + REMEMBERED_MS })
      return credential
    },
    forget: () => remembered.clear(),
  }
}

async function identify(secret: string, tokens: Tokens, projects: Projects): Promise<Credential | undefined> {
  const project = await projects.byKey(secret)
  if (project !== undefined) return { kind: 'ingest key', project }
  const identity = await tokens.identify(secret)
  return identity && { kind: 'token', identity }
}
