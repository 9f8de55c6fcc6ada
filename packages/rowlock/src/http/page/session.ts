import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { allows, type Identity } from '../../identity/scopes.ts'
import { type Door, SESSION_COOKIE } from '../credentials.ts'

/** Who reads this page; undefined for nobody who may. */
export async function signedIn(context: Context, { hub }: Door): Promise<Identity | undefined> {
  const secret = getCookie(context, SESSION_COOKIE)
  const identity = secret === undefined ? undefined : await hub.sessions.identify(secret)
  return identity !== undefined && allows(identity, 'read') ? identity : undefined
}
