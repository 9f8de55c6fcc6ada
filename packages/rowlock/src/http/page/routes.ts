import { type Context, Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { issueStates } from '../../events/issues.ts'
import { allows } from '../../identity/scopes.ts'
import { SESSION_LENGTH_MS } from '../../identity/sessions.ts'
import { numberFromPath, refuseOtherProject } from '../answer.ts'
import { readText } from '../body.ts'
import { authorize, credentialOf, type Door, SESSION_COOKIE } from '../credentials.ts'
import { isEncrypted, originOf, refuseForeignOrigin } from '../origin.ts'
import { Refusal } from '../refusal.ts'
import { fleetPageRoutes } from './fleet-routes.ts'
import { homePage } from './home.ts'
import { signInPage } from './layout.ts'
import { signedIn } from './session.ts'
import { style } from './style.ts'

const ROWS = 30
const FORM_BYTES = 4_096

/** The hub's pages, for people: no script, forms only. */
export function pageRoutes(door: Door): Hono {
  const { hub } = door
  const routes = new Hono()

  routes.get('/style.css', (context) =>
    context.body(style, 200, {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=300',
    }),
  )

  routes.get('/', async (context) => {
    const identity = await signedIn(context, door)
    if (identity === undefined) return context.html(signInPage())
    const { project } = identity
    const { state: given, cursor } = context.req.query()
    const state = issueStates.find((known) => known === given)
    const page = await hub.issues.list({ project, state, cursor, limit: ROWS })
    const { deliveries } = await hub.deliveries.list({ project, limit: ROWS })
    const mayWrite = allows(identity, 'write')
    const projects = mayWrite
      ? (await hub.projects.list()).filter(({ id }) => project === null || project === id)
      : []
    const home = {
      ...page,
      name: identity.name,
      state,
      deliveries,
      projects,
      origin: originOf(context, hub.config),
    }
    return context.html(homePage(home, { now: hub.ground.clock(), mayWrite }))
  })

  routes.post('/sign-in', async (context) => {
    refuseForeignOrigin(context, hub.config.publicUrl)
    const form = new URLSearchParams(await readText(context.req.raw, FORM_BYTES))
    try {
      const credential = await credentialOf(context, door, (form.get('token') ?? '').trim())
      if (credential.kind !== 'token')
        return context.html(signInPage('An ingest key only sends events.'), 403)
      const { identity } = credential
      if (!allows(identity, 'read')) return context.html(signInPage('This token may not read.'), 403)
      const secret = await hub.sessions.open(identity)
      if (secret !== undefined) setSession(context, secret, isEncrypted(context, hub.config))
      return context.redirect('/', 303)
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) {
        return context.html(signInPage('That token is not known, or it was revoked.'), 401)
      }
      if (error instanceof Refusal && error.status === 429) {
        return context.html(signInPage('Too many wrong tokens. Wait a minute.'), 429)
      }
      throw error
    }
  })

  routes.post('/sign-out', async (context) => {
    refuseForeignOrigin(context, hub.config.publicUrl)
    const secret = getCookie(context, SESSION_COOKIE)
    if (secret !== undefined) await hub.sessions.close(secret)
    deleteCookie(context, SESSION_COOKIE, { path: '/' })
    return context.redirect('/', 303)
  })

  routes.post('/issues/:id/:action{resolve|ignore|reopen}', async (context) => {
    const identity = await authorize(context, door, 'write')
    const issue = await hub.issues.find(context.req.param('id'))
    if (issue !== undefined) {
      refuseOtherProject(identity, issue.project)
      await hub.issues[context.req.param('action') as 'resolve' | 'ignore' | 'reopen'](issue.id)
    }
    return context.redirect('/', 303)
  })

  routes.post('/deliveries/:id/redrive', async (context) => {
    const identity = await authorize(context, door, 'write')
    const delivery = await hub.deliveries.find(numberFromPath(context, 'id'))
    if (delivery?.state === 'dead') {
      refuseOtherProject(identity, delivery.project)
      await hub.deliveries.redrive(delivery.id)
      hub.onWork()
    }
    return context.redirect('/#deliveries', 303)
  })

  routes.route('/', fleetPageRoutes(door))
  return routes
}

function setSession(context: Context, secret: string, secure: boolean): void {
  setCookie(context, SESSION_COOKIE, secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure,
    maxAge: SESSION_LENGTH_MS / 1000,
  })
}
