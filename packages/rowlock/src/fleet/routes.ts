import { Hono } from 'hono'
import type { Door } from '../http/credentials.ts'
import { beatRoutes } from './beat/routes.ts'
import { deviceRoutes } from './device/routes.ts'
import { historyRoutes } from './history/routes.ts'
import { importRoutes } from './import/routes.ts'

/** Everything of the fleet that needs a token. */
export function fleetRoutes(door: Door): Hono {
  const routes = new Hono()
  for (const part of [deviceRoutes, historyRoutes, importRoutes, beatRoutes]) routes.route('/', part(door))
  return routes
}
