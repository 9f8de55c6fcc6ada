import { InvalidInputError } from '@rowlock/core'
import type { Context } from 'hono'
import type { Hub } from '../hub.ts'
import type { Identity } from '../identity/scopes.ts'
import { withIsoInstants } from '../instants.ts'
import { forbidden } from './refusal.ts'

/** A JSON answer; instants are written in ISO 8601. */
export function json(context: Context, value: object, status: 200 | 201 = 200): Response {
  return context.json(withIsoInstants(value) as object, status)
}

/** A whole number from the query. @throws InvalidInputError */
export function numberFromQuery(context: Context, name: string): number | undefined {
  const given = context.req.query(name)
  if (given === undefined) return undefined
  if (/^\d{1,15}$/.test(given)) return Number(given)
  throw new InvalidInputError(name, `is ${JSON.stringify(given.slice(0, 40))}`, 'a whole number')
}

/** A whole number from the path. @throws InvalidInputError */
export function numberFromPath(context: Context, name: string): number {
  const given = context.req.param(name) ?? ''
  if (/^\d{1,15}$/.test(given)) return Number(given)
  throw new InvalidInputError(name, `is ${JSON.stringify(given.slice(0, 40))}`, 'a whole number')
}

/**
 * The project that a list is about: the token's own, or the one named by `?project=`; null for all.
 * @throws Refusal 403 when the token does not reach it, InvalidInputError when there is no such project.
 */
export async function projectFilter(context: Context, hub: Hub, identity: Identity): Promise<number | null> {
  const given = context.req.query('project')
  if (given === undefined) return identity.project
  const project = await hub.projects.find(/^\d{1,15}$/.test(given) ? Number(given) : given)
  if (project === undefined) {
    throw new InvalidInputError(
      'project',
      `is ${JSON.stringify(given.slice(0, 40))}`,
      'a project’s number or name',
    )
  }
  refuseOtherProject(identity, project.id)
  return project.id
}

/** @throws Refusal 403 when the token is tied to another project. */
export function refuseOtherProject(identity: Identity, project: number): void {
  if (identity.project === null || identity.project === project) return
  throw forbidden(`the token ${identity.name} reaches only project ${identity.project}`)
}
