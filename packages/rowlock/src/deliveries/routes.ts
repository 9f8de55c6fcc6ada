import { InvalidInputError, NotFoundError } from '@rowlock/core'
import { Hono } from 'hono'
import { json, numberFromPath, numberFromQuery, projectFilter, refuseOtherProject } from '../http/answer.ts'
import { readJson } from '../http/body.ts'
import { authorize, type Door } from '../http/credentials.ts'
import type { Identity } from '../identity/scopes.ts'
import type { Delivery } from './deliveries.ts'
import { type Destination, keptOf } from './destination.ts'
import { dispatch } from './dispatch.ts'
import { kinds } from './kinds/index.ts'
import type { KindName } from './kinds/kind.ts'
import { testNotice } from './notice.ts'

/** /api/destinations and /api/deliveries: where notices go, and what became of each. */
export function deliveryRoutes(door: Door): Hono {
  const { hub } = door
  const { config, deliveries, destinations } = hub
  const routes = new Hono()

  const destinationFor = async (identity: Identity, id: string): Promise<Destination> => {
    const destination = await destinations.find(id)
    if (destination === undefined) throw new NotFoundError(`destination ${id.slice(0, 100)}`)
    refuseOtherProject(identity, destination.project)
    return destination
  }
  const deliveryFor = async (identity: Identity, id: number): Promise<Delivery> => {
    const delivery = await deliveries.find(id)
    if (delivery === undefined) throw new NotFoundError(`delivery ${id}`)
    refuseOtherProject(identity, delivery.project)
    return delivery
  }

  routes.get('/api/destinations', async (context) => {
    const identity = await authorize(context, door, 'read')
    const list = await destinations.list(await projectFilter(context, hub, identity))
    return json(context, { destinations: list })
  })

  routes.post('/api/destinations', async (context) => {
    const identity = await authorize(context, door, 'admin')
    const { project = identity.project, ...given } = await readJson(context.req.raw, config.maxBody)
    if (!Number.isSafeInteger(project))
      throw new InvalidInputError('project', 'is missing', 'a project’s number')
    refuseOtherProject(identity, project as number)
    return json(context, await destinations.add(project as number, given), 201)
  })

  routes.patch('/api/destinations/:id', async (context) => {
    const identity = await authorize(context, door, 'admin')
    const { id } = await destinationFor(identity, context.req.param('id'))
    const changed = await destinations.change(id, await readJson(context.req.raw, config.maxBody))
    hub.onWork()
    return json(context, changed)
  })

  routes.delete('/api/destinations/:id', async (context) => {
    const identity = await authorize(context, door, 'admin')
    const { id } = await destinationFor(identity, context.req.param('id'))
    return json(context, await destinations.remove(id))
  })

  routes.post('/api/destinations/:id/test', async (context) => {
    const identity = await authorize(context, door, 'admin')
    const { id } = await destinationFor(identity, context.req.param('id'))
    const destination = await destinations.forSending(id)
    if (destination === undefined) throw new NotFoundError(`destination ${id}`)
    const now = hub.ground.clock()
    const kept = keptOf(destination)
    const { publicUrl } = config
    const parcel = kinds[destination.kind as KindName].carry(testNotice(now), kept, { now, publicUrl })
    const { verdict, status, problem } = await dispatch(parcel, hub.carriers, { now, secret: kept.secret })
    const ok = verdict.kind === 'sent'
    const error = ok ? problem : verdict.reason
    return json(context, { ok, status, ...(error === undefined ? {} : { error }) })
  })

  routes.get('/api/deliveries', async (context) => {
    const identity = await authorize(context, door, 'read')
    const { state, destination, cursor } = context.req.query()
    const project = await projectFilter(context, hub, identity)
    const limit = numberFromQuery(context, 'limit')
    return json(context, await deliveries.list({ project, state, destination, cursor, limit }))
  })

  routes.get('/api/deliveries/:id', async (context) => {
    const identity = await authorize(context, door, 'read')
    return json(context, await deliveryFor(identity, numberFromPath(context, 'id')))
  })

  routes.post('/api/deliveries/:id/redrive', async (context) => {
    const identity = await authorize(context, door, 'write')
    const { id } = await deliveryFor(identity, numberFromPath(context, 'id'))
    const redriven = await deliveries.redrive(id)
    hub.onWork()
    return json(context, redriven)
  })

  return routes
}
