import { NotFoundError } from '@rowlock/core'
import { type Context, Hono } from 'hono'
import { claimRoutes } from '../claims/routes.ts'
import { deliveryRoutes } from '../deliveries/routes.ts'
import { issueRoutes } from '../events/routes.ts'
import { pingRoutes } from '../fleet/ping/routes.ts'
import { fleetRoutes } from '../fleet/routes.ts'
import { createHub, type Hub, type HubOptions } from '../hub.ts'
import { identityRoutes } from '../identity/routes.ts'
import type { Door } from './credentials.ts'
import { securityHeaders } from './headers.ts'
import { healthRoutes } from './health.ts'
import { intakeRoutes } from './intake.ts'
import { pageRoutes } from './page/routes.ts'
import { problemOf, problemResponse } from './problem.ts'
import { Refusal } from './refusal.ts'

export interface AppOptions extends HubOptions {
  /** A hub that exists already; otherwise one is made of the other options. */
  readonly hub?: Hub
  /** The client's address, against which wrong tokens are counted. Default: one for all. */
  readonly address?: (context: Context) => string
}

/** The hub's HTTP interface: standard requests in, standard responses out, on any runtime. */
export function createApp(options: AppOptions): Hono {
  const { hub = createHub(options), address = () => 'unknown' } = options
  const door: Door = {
    hub,
    address,
    fail(context, error, headers = {}) {
      if (problemOf(error).problem.status >= 500) {
        hub.onProblem(`${context.req.method} ${context.req.path} failed`, error)
      }
      return problemResponse(error, headers)
    },
  }
  const app = new Hono()
  app.route('/', intakeRoutes(door))
  app.route('/', pingRoutes(door))
  app.use('*', securityHeaders)
  const parts = [
    healthRoutes,
    issueRoutes,
    deliveryRoutes,
    claimRoutes,
    fleetRoutes,
    identityRoutes,
    pageRoutes,
  ]
  for (const routes of parts) app.route('/', routes(door))
  refuseOtherMethods(app, door)
  app.notFound((context) =>
    door.fail(context, new NotFoundError(`a page at ${context.req.path.slice(0, 200)}`)),
  )
  app.onError((error, context) => door.fail(context, error))
  return app
}

/** A known path with another method is a 405 that names the right ones. */
function refuseOtherMethods(app: Hono, door: Door): void {
  const methodsOf = new Map<string, Set<string>>()
  for (const { path, method } of app.routes) {
    if (method === 'ALL') continue
    methodsOf.set(path, (methodsOf.get(path) ?? new Set()).add(method))
  }
  for (const [path, methods] of methodsOf) {
    const allow = [...methods, ...(methods.has('GET') ? ['HEAD'] : [])].sort().join(', ')
    app.all(path, (context) => {
      const message = `${context.req.method.slice(0, 20)} is not possible here; possible: ${allow}`
      return door.fail(context, new Refusal(405, 'METHOD_NOT_ALLOWED', message, { headers: { allow } }))
    })
  }
}
