import type { Statement } from '../port/driver.ts'
import { chain } from '../port/fault.ts'
import { postgresCode } from '../port/postgres-fault.ts'
import { recent } from '../port/recent.ts'

/** Names under which the server keeps a statement prepared; none unless that was asked for. */
export interface Naming {
  nameOf(statement: Statement): string | undefined
  /** Whether an error came from a name that no longer fits. Nothing was applied, and names are new from now on. */
  outdated(cause: unknown): boolean
}

export function createNaming(prepare: boolean): Naming {
  let wanted = prepare
  let generation = 0
  const names = recent(512, hash)
  return {
    nameOf: ({ text }) => (wanted ? `rowlock_${generation}_${names.get(text)}` : undefined),
    outdated(cause) {
      const code = postgresCode(cause)
      // A pooler gave the connection to others in between: names hold nowhere, so do without.
      if (wanted && (code === '26000' || code === '42P05')) {
        wanted = false
        return true
      }
      // "cached plan must not change result type", after an ALTER TABLE; told in any language.
      const stale = chain(cause).some((error) => (error as { routine?: unknown }).routine === STALE_PLAN)
      if (stale) generation++
      return stale
    },
  }
}

const STALE_PLAN = 'RevalidateCachedQuery'

/** The same text has the same name everywhere, since processes may share a server connection. */
function hash(text: string): string {
  let one = 0xdeadbeef
  let two = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    one = Math.imul(one ^ unit, 2654435761)
    two = Math.imul(two ^ unit, 1597334677)
  }
  return [one, two, text.length].map((part) => (part >>> 0).toString(36)).join('_')
}
