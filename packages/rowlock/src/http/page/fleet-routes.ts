import { type Context, Hono } from 'hono'
import { deviceStates } from '../../fleet/device/devices.ts'
import { allows, type Identity } from '../../identity/scopes.ts'
import { numberFromPath, refuseOtherProject } from '../answer.ts'
import { authorize, type Door } from '../credentials.ts'
import { originOf } from '../origin.ts'
import { devicePage } from './device.ts'
import { devicePath, devicesPage } from './devices.ts'
import { type Html, signInPage } from './layout.ts'
import type { View } from './lists.ts'
import { checksPage, outagesPage } from './outages.ts'
import { signedIn } from './session.ts'

const ROWS = 50
const PINGS = 20

/** The pages of devices, outages and checks. Looking at one changes nothing. */
export function fleetPageRoutes(door: Door): Hono {
  const { hub } = door
  const { fleet } = hub
  const routes = new Hono()

  type Draw = (context: Context, identity: Identity, view: View) => Promise<Html>
  const page = (path: string, draw: Draw) =>
    routes.get(path, async (context) => {
      const identity = await signedIn(context, door)
      if (identity === undefined) return context.html(signInPage())
      const view = { now: hub.ground.clock(), mayWrite: allows(identity, 'write') }
      return context.html(await draw(context, identity, view))
    })

  page('/devices', async (context, { name, project }, view) => {
    const { state: given, q, cursor } = context.req.query()
    const state = deviceStates.find((known) => known === given)
    const list = await fleet.devices.list({ project, state, q, cursor, limit: ROWS })
    return devicesPage({ ...list, name, state, q }, view)
  })

  page('/devices/:project/:id', async (context, identity, view) => {
    const project = numberFromPath(context, 'project')
    refuseOtherProject(identity, project)
    const device = await fleet.devices.get(project, context.req.param('id') ?? '')
    const { downtimes } = await fleet.history.downtimes({ project, device: device.id, limit: ROWS })
    const found = {
      name: identity.name,
      device,
      outages: downtimes,
      pings: await fleet.pings.of(project, device.id, PINGS),
      uptime: await fleet.uptime.of({ project, device: device.id }),
      origin: originOf(context, hub.config),
    }
    return devicePage(found, view)
  })

  page('/downtimes', async (context, { name, project }, view) => {
    const { state: given, cursor } = context.req.query()
    const state = given === 'open' ? given : undefined
    const open = state === undefined ? undefined : true
    const list = await fleet.history.downtimes({ project, open, cursor, limit: ROWS })
    return outagesPage({ ...list, name, state }, view)
  })

  page('/checks', async (context, { name, project }, view) => {
    const list = await fleet.history.checks({ project, cursor: context.req.query('cursor'), limit: ROWS })
    return checksPage({ ...list, name }, view)
  })

  routes.post('/devices/:project/:id/:action{pause|resume}', async (context) => {
    const identity = await authorize(context, door, 'write')
    const project = numberFromPath(context, 'project')
    refuseOtherProject(identity, project)
    const device = await fleet.devices[context.req.param('action') as 'pause' | 'resume'](
      project,
      context.req.param('id'),
    )
    hub.onWork()
    return context.redirect(devicePath(device), 303)
  })

  return routes
}
