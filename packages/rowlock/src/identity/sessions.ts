import type { Row } from '@rowlock/core'
import type { Ground } from '../ground.ts'
import type { TokenRow } from './rows.ts'
import type { Identity } from './scopes.ts'
import { base64url, hashOf } from './secrets.ts'
import { sessionStatements } from './statements/sessions.ts'
import { identityOf } from './tokens.ts'

/** Signed-in browsers. The cookie holds 256 random bits, the database their hash. */
export interface Sessions {
  /** The cookie's value; undefined when the token was revoked meanwhile. */
  open(identity: Identity): Promise<string | undefined>
  identify(secret: string): Promise<Identity | undefined>
  close(secret: string): Promise<void>
  /** Removes sessions that are over. How many went. */
  sweep(): Promise<number>
}

export const SESSION_LENGTH_MS = 7 * 24 * 60 * 60 * 1000

export function createSessions({ driver, now }: Ground): Sessions {
  const statements = sessionStatements(driver.dialect)
  return {
    async open(identity) {
      const secret = base64url(crypto.getRandomValues(new Uint8Array(32)))
      const values = {
        hash: await hashOf(secret),
        token: identity.tokenId,
        length: SESSION_LENGTH_MS,
        now: now(),
      }
      const opened = await driver.execute(statements.open.with(values))
      return opened.length === 0 ? undefined : secret
    },
    async identify(secret) {
      if (!/^[A-Za-z0-9_-]{43}$/.test(secret)) return undefined
      const values = { hash: await hashOf(secret), now: now() }
      const [row] = await driver.execute(statements.identify.with(values))
      return row && identityOf(row as Row & TokenRow)
    },
    async close(secret) {
      await driver.execute(statements.close.with({ hash: await hashOf(secret) }))
    },
    async sweep() {
      return (await driver.execute(statements.sweep.with({ now: now() }))).length
    },
  }
}
