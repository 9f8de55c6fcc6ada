import { InvalidInputError, NotFoundError } from '@rowlock/core'
import { describe } from '@rowlock/core/module'
import { Hono } from 'hono'
import { json, numberFromPath } from '../http/answer.ts'
import { readJson } from '../http/body.ts'
import { authorize, authorizeEverywhere, type Door } from '../http/credentials.ts'
import type { Project } from './projects.ts'
import { allows, type Identity } from './scopes.ts'

/** /api/projects and /api/tokens. */
export function identityRoutes(door: Door): Hono {
  const { hub } = door
  const { config, credentials, projects, tokens } = hub
  const routes = new Hono()

  routes.get('/api/projects', async (context) => {
    const identity = await authorize(context, door, 'read')
    const all = await projects.list()
    const reached = all.filter(({ id }) => identity.project === null || identity.project === id)
    return json(context, { projects: reached.map((project) => shownTo(identity, project)) })
  })

  routes.post('/api/projects', async (context) => {
    await authorizeEverywhere(context, door, 'admin')
    const { name, window = config.window } = await readJson(context.req.raw, config.maxBody)
    return json(context, await projects.add(name as string, { window: window as number | string }), 201)
  })

  routes.patch('/api/projects/:id', async (context) => {
    await authorizeEverywhere(context, door, 'admin')
    const { window } = await readJson(context.req.raw, config.maxBody)
    const changed = await projects.setWindow(numberFromPath(context, 'id'), window as number | string)
    credentials.forget()
    return json(context, changed)
  })

  routes.post('/api/projects/:id/rotate', async (context) => {
    await authorizeEverywhere(context, door, 'admin')
    const rotated = await projects.rotate(numberFromPath(context, 'id'))
    credentials.forget()
    return json(context, rotated)
  })

  routes.get('/api/tokens', async (context) => {
    await authorizeEverywhere(context, door, 'admin')
    return json(context, { tokens: await tokens.list() })
  })

  routes.post('/api/tokens', async (context) => {
    await authorizeEverywhere(context, door, 'admin')
    const { name, scopes, project = null } = await readJson(context.req.raw, config.maxBody)
    const options = { scopes: scopes as string, project: await knownProject(project) }
    return json(context, await tokens.add(name as string, options), 201)
  })

  routes.delete('/api/tokens/:name', async (context) => {
    await authorizeEverywhere(context, door, 'admin')
    const revoked = await tokens.revoke(context.req.param('name'))
    credentials.forget()
    return json(context, revoked)
  })

  const knownProject = async (given: unknown): Promise<number | null> => {
    if (given === null) return null
    if (!Number.isSafeInteger(given)) {
      throw new InvalidInputError('project', `is ${describe(given)}`, 'a project’s number, or null for all')
    }
    if ((await projects.find(given as number)) === undefined) throw new NotFoundError(`project ${given}`)
    return given as number
  }

  return routes
}

/** The ingest key lets anybody send events, so it is for those who may write. */
function shownTo(identity: Identity, project: Project): Partial<Project> {
  if (allows(identity, 'write')) return project
  const { ingestKey: _, ...others } = project
  return others
}
