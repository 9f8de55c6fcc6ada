import { ConflictError } from '@rowlock/core'
import { type Context, Hono } from 'hono'
import {
  json,
  numberFromPath,
  numberFromQuery,
  projectFilter,
  refuseOtherProject,
} from '../../http/answer.ts'
import { readJson } from '../../http/body.ts'
import { authorize, type Door } from '../../http/credentials.ts'
import { originOf } from '../../http/origin.ts'
import { allows, type Identity, type Scope } from '../../identity/scopes.ts'
import { projectOf } from '../project.ts'
import type { Device } from '../types.ts'
import { readDevice, readId } from './fields.ts'

/** /api/devices: lists, one with its pings, making and changing, and what people do with one. */
export function deviceRoutes(door: Door): Hono {
  const { hub } = door
  const { config, fleet } = hub
  const routes = new Hono()

  const enter = async (context: Context, scope: Scope) => {
    const identity = await authorize(context, door, scope)
    return { identity, project: await projectOf(context, hub, identity) }
  }

  /** The ping address lets anybody beat for it, so it is for those who may write. */
  const shown = (context: Context, identity: Identity, device: Device): object => {
    const { uuid, ...others } = device
    if (!allows(identity, 'write')) return others
    return { ...others, uuid, pingUrl: `${originOf(context, config)}/ping/${uuid}` }
  }

  routes.get('/api/devices', async (context) => {
    const identity = await authorize(context, door, 'read')
    const project = await projectFilter(context, hub, identity)
    const { state, tag, q, cursor } = context.req.query()
    const limit = numberFromQuery(context, 'limit')
    const { devices, next } = await fleet.devices.list({ project, state, tag, q, cursor, limit })
    return json(context, { devices: devices.map((device) => shown(context, identity, device)), next })
  })

  routes.get('/api/devices/:id', async (context) => {
    const { identity, project } = await enter(context, 'read')
    const device = await fleet.devices.get(project, context.req.param('id'))
    const [pings, { downtimes }] = await Promise.all([
      fleet.pings.of(project, device.id),
      fleet.history.downtimes({ project, device: device.id, limit: 20 }),
    ])
    return json(context, { ...shown(context, identity, device), recentPings: pings, downtimes })
  })

  routes.post('/api/devices', async (context) => {
    const { identity, project } = await enter(context, 'write')
    const fields = readDevice(await readJson(context.req.raw, config.maxBody))
    if (!(await fleet.writer.make(project, fields))) {
      throw new ConflictError(`there is already a device ${fields.id}`, { id: fields.id })
    }
    return json(context, shown(context, identity, await fleet.devices.get(project, fields.id)), 201)
  })

  routes.put('/api/devices/:id', async (context) => {
    const { identity, project } = await enter(context, 'write')
    const { id = context.req.param('id'), ...given } = await readJson(context.req.raw, config.maxBody)
    const fields = readDevice(given, readId(context.req.param('id')))
    if (id !== fields.id) throw new ConflictError(`the device is ${fields.id}; an id never changes`)
    const { created } = await fleet.writer.save(project, [fields])
    const device = await fleet.devices.get(project, fields.id)
    return json(context, shown(context, identity, device), created === 1 ? 201 : 200)
  })

  routes.post('/api/devices/:id/:action{pause|resume}', async (context) => {
    const { identity, project } = await enter(context, 'write')
    const action = context.req.param('action') as 'pause' | 'resume'
    const device = await fleet.devices[action](project, context.req.param('id'))
    hub.onWork()
    return json(context, shown(context, identity, device))
  })

  routes.delete('/api/devices/:id', async (context) => {
    const { identity, project } = await enter(context, 'write')
    const device = await fleet.devices.get(project, context.req.param('id'))
    await fleet.devices.remove(project, device.id)
    return json(context, shown(context, identity, device))
  })

  routes.post('/api/projects/:id/ping-key', async (context) => {
    const identity = await authorize(context, door, 'admin')
    const project = numberFromPath(context, 'id')
    refuseOtherProject(identity, project)
    const { key, createdAt } = await fleet.pingKeys.rotate(project)
    return json(context, {
      project,
      key,
      createdAt,
      pingUrl: `${originOf(context, config)}/ping/${key}/<slug>`,
    })
  })

  return routes
}
