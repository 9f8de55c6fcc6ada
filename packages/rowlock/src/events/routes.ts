import { InvalidInputError, NotFoundError } from '@rowlock/core'
import { Hono } from 'hono'
import { json, numberFromQuery, projectFilter, refuseOtherProject } from '../http/answer.ts'
import { readJson } from '../http/body.ts'
import { authorize, type Door } from '../http/credentials.ts'
import type { Identity } from '../identity/scopes.ts'
import type { Issue } from './issues.ts'

/** /api/issues and /api/rejected: lists, one with its samples, and what people do with it. */
export function issueRoutes(door: Door): Hono {
  const { hub } = door
  const { issues } = hub
  const routes = new Hono()

  /** Somebody else's issue is answered like one that is not there. */
  const reachable = async (identity: Identity, id: string): Promise<Issue> => {
    const issue = await issues.find(id)
    const hidden = issue !== undefined && identity.project !== null && identity.project !== issue.project
    if (issue === undefined || hidden) throw new NotFoundError(`issue ${id.slice(0, 150)}`)
    refuseOtherProject(identity, issue.project)
    return issue
  }

  routes.get('/api/issues', async (context) => {
    const identity = await authorize(context, door, 'read')
    const { state, source, level, q, cursor } = context.req.query()
    const project = await projectFilter(context, hub, identity)
    const limit = numberFromQuery(context, 'limit')
    return json(context, await issues.list({ project, state, source, level, q, cursor, limit }))
  })

  routes.get('/api/issues/:id', async (context) => {
    const identity = await authorize(context, door, 'read')
    const { id } = await reachable(identity, context.req.param('id'))
    return json(context, await issues.details(id))
  })

  routes.post('/api/issues/:id/:action{resolve|ignore|snooze|reopen}', async (context) => {
    const identity = await authorize(context, door, 'write')
    const { id } = await reachable(identity, context.req.param('id'))
    const action = context.req.param('action') as 'resolve' | 'ignore' | 'snooze' | 'reopen'
    if (action !== 'snooze') return json(context, await issues[action](id))
    const { for: length } = await readJson(context.req.raw, hub.config.maxBody)
    if (typeof length === 'string' || typeof length === 'number') {
      return json(context, await issues.snooze(id, length))
    }
    throw new InvalidInputError('for', 'is missing', 'a length of time such as "1d", or milliseconds')
  })

  routes.get('/api/rejected', async (context) => {
    const identity = await authorize(context, door, 'read')
    const project = await projectFilter(context, hub, identity)
    const { cursor } = context.req.query()
    return json(context, await issues.rejected({ project, cursor, limit: numberFromQuery(context, 'limit') }))
  })

  return routes
}
