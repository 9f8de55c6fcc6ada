/** Hono without any store: reads the event's JSON and answers. The ceiling of what can be served. */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { ready } from './ready.ts'

const app = new Hono()
app.post('/api/events', async (context) => {
  const event = await context.req.json()
  return context.json({ accepted: true, message: event.message }, 200)
})
ready(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }), {})
