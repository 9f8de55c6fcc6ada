import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Hub } from '../hub.ts'
import type { Credential } from '../identity/credentials.ts'
import type { Project } from '../identity/projects.ts'
import { allows, type Identity, type Scope } from '../identity/scopes.ts'
import { refuseForeignOrigin } from './origin.ts'
import { forbidden, tooMany, unauthenticated } from './refusal.ts'

export const SESSION_COOKIE = 'rowlock_session'

/** What it takes to know who asks, and from where. */
export interface Door {
  readonly hub: Hub
  /** The client's address, for counting failures. */
  address(context: Context): string
  /** Turns an error into an answer, and tells the log of those that are our fault. */
  fail(context: Context, error: unknown, headers?: Readonly<Record<string, string>>): Response
}

/**
 * Who is asking, by bearer token or by the page's cookie.
 * @throws Refusal 401 without a valid one, 403 when it may not, 429 after too many failures.
 */
export async function authorize(context: Context, door: Door, wanted: Scope): Promise<Identity> {
  const secret = bearer(context)
  const identity =
    secret === undefined ? await bySession(context, door) : await byToken(context, door, secret)
  if (!allows(identity, wanted)) throw forbidden(`the token ${identity.name} lacks the scope ${wanted}`)
  return identity
}

/** As `authorize`, for tokens that are not tied to one project. */
export async function authorizeEverywhere(context: Context, door: Door, wanted: Scope): Promise<Identity> {
  const identity = await authorize(context, door, wanted)
  if (identity.project === null) return identity
  throw forbidden(`the token ${identity.name} reaches only project ${identity.project}`)
}

/** The project that events are for: by its ingest key, or by a token with the scope ingest. */
export async function authorizeIntake(context: Context, door: Door): Promise<Project> {
  const secret = bearer(context) ?? context.req.query('key')
  if (secret === undefined) throw unauthenticated('send the ingest key: Authorization: Bearer <key>')
  const credential = await credentialOf(context, door, secret)
  if (credential.kind === 'ingest key') return credential.project
  const { identity } = credential
  if (!allows(identity, 'ingest')) throw forbidden(`the token ${identity.name} lacks the scope ingest`)
  const wanted = identity.project ?? context.req.query('project')
  if (wanted === undefined) return onlyProject(door)
  const project = await door.hub.projects.find(/^\d{1,15}$/.test(String(wanted)) ? Number(wanted) : wanted)
  if (project === undefined) throw forbidden(`there is no project ${wanted}`)
  return project
}

/** A token may leave out the project while there is only one. */
async function onlyProject(door: Door): Promise<Project> {
  const [only, ...others] = await door.hub.projects.list()
  if (only !== undefined && others.length === 0) return only
  throw forbidden('the token reaches several projects: name one with ?project=')
}

/** @throws Refusal 429 when this address has sent too many wrong secrets. */
export function refuseGuessing(context: Context, { hub, address }: Door): void {
  const waitMs = hub.attempts.waitMs(address(context), hub.ground.clock())
  if (waitMs > 0) throw tooMany('too many wrong tokens from this address', waitMs)
}

/** Looks a secret up, and counts a wrong one against the address it came from. */
export async function credentialOf(context: Context, door: Door, secret: string): Promise<Credential> {
  const { credentials, attempts, ground } = door.hub
  const known = credentials.recall(secret)
  if (known !== undefined) return known
  refuseGuessing(context, door)
  const found = await credentials.look(secret)
  if (found !== undefined) return found
  attempts.failed(door.address(context), ground.clock())
  throw unauthenticated('the token or key is not known, or it was revoked')
}

async function byToken(context: Context, door: Door, secret: string): Promise<Identity> {
  const credential = await credentialOf(context, door, secret)
  if (credential.kind === 'token') return credential.identity
  throw forbidden('an ingest key only sends events')
}

async function bySession(context: Context, { hub }: Door): Promise<Identity> {
  const secret = getCookie(context, SESSION_COOKIE)
  const identity = secret === undefined ? undefined : await hub.sessions.identify(secret)
  if (identity === undefined) throw unauthenticated('send a token: Authorization: Bearer rowlock_…')
  refuseForeignOrigin(context, hub.config.publicUrl)
  return identity
}

function bearer(context: Context): string | undefined {
  return /^Bearer +([^ ]+) *$/i.exec(context.req.header('authorization') ?? '')?.[1]
}
