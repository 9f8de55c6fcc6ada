import { InvalidInputError } from '@rowlock/core'
import type { AcquireOutcome, CompleteOutcome, ReleaseOutcome, RenewOutcome } from '@rowlock/core/claims'
import { type Context, Hono } from 'hono'
import { json, numberFromQuery } from '../http/answer.ts'
import { readJson } from '../http/body.ts'
import { authorizeEverywhere, type Door } from '../http/credentials.ts'
import type { Identity } from '../identity/scopes.ts'

type Fields = Readonly<Record<string, unknown>>

/** /api/claims: the library's claims for who has no database at hand. Losing is an answer, with status 200. */
export function claimRoutes(door: Door): Hono {
  const { claims, config } = door.hub
  const routes = new Hono()
  const read = async (context: Context): Promise<{ identity: Identity; fields: Fields }> => ({
    identity: await authorizeEverywhere(context, door, 'write'),
    fields: await readJson(context.req.raw, config.maxBody),
  })

  routes.get('/api/claims', async (context) => {
    await authorizeEverywhere(context, door, 'read')
    const { prefix, state, cursor } = context.req.query()
    const limit = numberFromQuery(context, 'limit')
    const page = await claims.list({ prefix, state: state as 'held' | undefined, after: cursor, limit })
    return json(context, page)
  })

  routes.post('/api/claims/acquire', async (context) => {
    const { identity, fields } = await read(context)
    const holder = holderOf(identity, fields.id)
    return outcome(context, await claims.acquire(text(fields, 'key'), { ttl: length(fields, 'ttl'), holder }))
  })

  routes.post('/api/claims/renew', async (context) => {
    const { fields } = await read(context)
    return outcome(context, await claims.renew(refOf(fields), { ttl: length(fields, 'ttl') }))
  })

  routes.post('/api/claims/complete', async (context) => {
    const { fields } = await read(context)
    const keepFor = fields.keepFor === undefined ? {} : { keepFor: length(fields, 'keepFor') }
    return outcome(context, await claims.complete(refOf(fields), fields.result, keepFor))
  })

  routes.post('/api/claims/release', async (context) => {
    const { fields } = await read(context)
    return outcome(context, await claims.release(refOf(fields)))
  })

  return routes
}

/** The database could not be asked: neither yes nor no. @throws the error, which becomes a 503. */
function outcome(
  context: Context,
  answer: AcquireOutcome | RenewOutcome | CompleteOutcome | ReleaseOutcome,
): Response {
  if ('reason' in answer && answer.reason === 'unknown') throw answer.cause
  return json(context, answer)
}

/** The token's name, and the id that the caller gave this acquisition, or a new one. */
function holderOf({ name }: Identity, id: unknown): string {
  if (id === undefined || id === null) return `${name}/${crypto.randomUUID()}`
  if (typeof id === 'string' && id.length > 0 && id.length <= 200) return `${name}/${id}`
  throw new InvalidInputError('id', 'is no short text', 'an id of at most 200 characters, or none')
}

function refOf(fields: Fields): { key: string; token: number } {
  const { token } = fields
  if (!Number.isSafeInteger(token))
    throw new InvalidInputError('token', 'is missing', 'the token of the claim')
  return { key: text(fields, 'key'), token: token as number }
}

function text(fields: Fields, name: string): string {
  const given = fields[name]
  if (typeof given === 'string') return given
  throw new InvalidInputError(name, given === undefined ? 'is missing' : 'is no string', 'a string')
}

function length(fields: Fields, name: string): string | number {
  const given = fields[name]
  if (typeof given === 'string' || typeof given === 'number') return given
  throw new InvalidInputError(name, 'is missing', 'a length of time such as "15m", or milliseconds')
}
