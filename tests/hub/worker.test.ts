import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { d1 } from '@rowlock/core/d1'
import { type TestWorker, testWorker } from '../engines/workerd.ts'
import { type Client, clientOf } from './client.ts'
import { crowd, fleetCrowd } from './crowd.ts'
import { fleetScenario } from './fleet-scenario.ts'
import { scenario } from './scenario.ts'

const adminToken = `rowlock_${'a1B2-'.repeat(8)}xyz`

/** A place for notices on this machine; the first one is put off. */
async function receiver(context: TestContext): Promise<{ url: string; received: string[] }> {
  const received: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push(body)
    response.writeHead(received.length === 1 ? 503 : 204, { 'retry-after': '0' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received }
}

async function open(
  context: TestContext,
  settings: Record<string, string> = {},
): Promise<{ worker: TestWorker; client: Client }> {
  const entry = fileURLToPath(new URL('hub.worker.ts', import.meta.url))
  const bindings = {
    ROWLOCK_ADMIN_TOKEN: adminToken,
    ROWLOCK_ALLOW_PRIVATE_DESTINATIONS: 'true',
    ...settings,
  }
  const worker = await testWorker(entry, { bindings })
  context.after(() => worker.dispose())
  return { worker, client: await clientOf({ adminToken, fetch: worker.fetch }) }
}

test('the hub on Workers and D1 does what a hub does', async (context) => {
  const { url } = await receiver(context)
  const { client } = await open(context)
  await scenario(client, url)
})

test('the fleet on Workers and D1 does what a fleet does', async (context) => {
  const { client } = await open(context)
  await fleetScenario(client)
})

test('a crowd of pings of one device on D1: each is counted, one outage at a time', async (context) => {
  const { client } = await open(context)
  await fleetCrowd([client], 2)
})

test('a crowd of senders on D1: exact counts, one win each', async (context) => {
  const { client } = await open(context)
  await crowd([client], 2)
})

test('the page is served, and the schedule checks, delivers what is due and removes what is old', async (context) => {
  const { url, received } = await receiver(context)
  const { worker, client } = await open(context)
  assert.match(await (await worker.fetch('/')).text(), /<label for="token">/)
  assert.equal((await client.ask('POST /api/destinations', { project: 1, url })).status, 201)
  assert.equal((await client.send({ fingerprint: 'a', message: 'x' })).body.won, true)
  assert.equal((await client.ask('POST /api/devices', { id: 'a' })).status, 201)
  assert.equal((await worker.fetch('/__scheduled')).status, 200)
  assert.equal(((await client.ask('GET /api/checks')).body.checks as unknown[]).length, 1)
  assert.equal(JSON.parse(String(received[0])).data.issue, '1-a')
  const { deliveries } = (await client.ask('GET /api/deliveries')).body as {
    deliveries: { attempts: number }[]
  }
  assert.equal(deliveries.length, 1)
  assert.ok(deliveries.every(({ attempts }) => attempts >= 1))
})

test('a clock that calls once a minute is no checker that overslept, however often checks are wanted', async (context) => {
  const { worker, client } = await open(context, { ROWLOCK_CHECK_EVERY: '1s' })
  const { uuid } = (await client.ask('POST /api/devices', { id: 'a', period: '1s', grace: '1s' })).body
  assert.equal((await client.open(`/ping/${uuid}`)).status, 200)
  assert.equal((await worker.fetch('/__scheduled')).status, 200)
  const database = d1((await worker.database()) as unknown as Parameters<typeof d1>[0])
  // A minute passes, so that nobody has to wait for it.
  for (const text of [
    'update rowlock_checker set last_tick = last_tick - 60000 returning scope',
    'update rowlock_subjects set last_seen = last_seen - 60000, armed_at = armed_at - 60000, deadline = deadline - 60000 returning id',
  ]) {
    assert.equal((await database.execute({ name: 'passes', text, values: [] })).length, 1)
  }
  assert.equal((await worker.fetch('/__scheduled')).status, 200)
  const [check] = (await client.ask('GET /api/checks')).body.checks as Record<string, unknown>[]
  assert.deepEqual([check?.verdict, check?.opened], ['normal', 1])
})

test('chats and pagers are reached from Workers; e-mail is refused with the reason', async (context) => {
  const { url, received } = await receiver(context)
  received.push('so that none is put off')
  const { client } = await open(context)
  const add = (fields: object) => client.ask('POST /api/destinations', { project: 1, ...fields })
  const routingKey = 'R0ut1ngK3yR0ut1ngK3yR0ut1ngK3yRR'
  for (const fields of [
    { kind: 'slack', url },
    { kind: 'discord', url },
    { kind: 'pagerduty', url, routingKey },
  ]) {
    const { status, body } = await add(fields)
    assert.equal(status, 201, JSON.stringify(body))
    assert.deepEqual((await client.ask(`POST /api/destinations/${body.id}/test`)).body, {
      ok: true,
      status: 204,
    })
  }
  const told = received.slice(1).map((text) => JSON.parse(text))
  assert.match(told[0].text, /Rowlock can reach you here/)
  assert.match(told[1].embeds[0].title, /Rowlock can reach you here/)
  assert.deepEqual([told[2].routing_key, told[2].event_action], [routingKey, 'trigger'])
  const mail = await add({
    kind: 'mail',
    host: 'smtp.example.com',
    from: 'a@example.com',
    to: 'b@example.com',
  })
  assert.deepEqual([mail.status, mail.body.field], [400, 'kind'])
  assert.match(
    String(mail.body.detail),
    /this hub cannot speak to mail servers: that takes one on Node, not on Workers/,
  )
})
