import { InvalidInputError } from '@rowlock/core'
import type { Context } from 'hono'
import { projectFilter } from '../http/answer.ts'
import type { Hub } from '../hub.ts'
import type { Identity } from '../identity/scopes.ts'

/**
 * The one project that a request is about: the token's own, the one named by `?project=`, or the only one there is.
 * @throws InvalidInputError where it could be several, Refusal 403 for one that the token does not reach.
 */
export async function projectOf(context: Context, hub: Hub, identity: Identity): Promise<number> {
  const named = await projectFilter(context, hub, identity)
  if (named !== null) return named
  const [only, ...others] = await hub.projects.list()
  if (only !== undefined && others.length === 0) return only.id
  throw new InvalidInputError('project', 'is missing', 'a project’s number or name: ?project=')
}
