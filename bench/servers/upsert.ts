/** Hono with what one would write first: one raw durable upsert for each event. */
import { DatabaseSync } from 'node:sqlite'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { ready } from './ready.ts'

const database = new DatabaseSync(process.argv[2] ?? ':memory:')
database.exec('pragma journal_mode = wal; pragma synchronous = full')
database.exec(
  'create table issues (key text primary key not null, count integer not null, last_seen integer not null) strict',
)
const upsert = database.prepare(
  `insert into issues (key, count, last_seen) values (?, 1, ?)
   on conflict (key) do update set count = count + 1, last_seen = excluded.last_seen returning count`,
)

const app = new Hono()
app.post('/api/events', async (context) => {
  const event = await context.req.json()
  return context.json({ accepted: true, ...upsert.get(event.message, BigInt(Date.now())) }, 200)
})
ready(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }), {})
