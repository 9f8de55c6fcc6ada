import { Hono } from 'hono'
import { idempotency } from '../../src/middleware/hono.ts'
import { freshClaims } from './given.ts'
import { idempotencySuite } from './suite.ts'

idempotencySuite('Hono', async (work, options) => {
  const app = new Hono<{ Variables: { user: string } }>()
  app.onError((_, context) => context.text('error', 500))
  app.use(async (context, next) => {
    context.set('user', context.req.header('x-user')!)
    await next()
  })
  const claims = await freshClaims()
  app.use(
    idempotency({
      claims,
      principal: (context) => (context as never as { get(name: string): string }).get('user'),
      ...options,
    }),
  )
  for (const path of ['/orders', '/refunds']) {
    app.post(path, async (context) => {
      work.calls += 1
      const { status, body, headers } = await work.next(await context.req.json())
      return context.newResponse(status === 204 ? null : body, status as 200, {
        'content-type': 'application/json; charset=utf-8',
        ...headers,
      })
    })
  }
  return { send: async (request) => app.fetch(request) }
})
