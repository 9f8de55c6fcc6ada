import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../src/config/index.ts'
import { startHub } from '../../src/node.ts'

test('a win reaches a real receiver at once, signed, and is not sent again', {
  timeout: 60_000,
}, async (context) => {
  const home = await mkdtemp(join(tmpdir(), 'rowlock-webhook-'))
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const arrivals = new EventEmitter()
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ headers: request.headers, body })
    response.writeHead(204).end()
    arrivals.emit('arrival')
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const flags = { port: 0, db: join(home, 'rowlock.db'), 'allow-private-destinations': true }
  const running = await startHub(readConfig({ flags }).config, { print: () => {}, isTerminal: false })
  context.after(async () => {
    await running.stop()
    receiver.closeAllConnections()
    receiver.close()
    await rm(home, { recursive: true, force: true })
  })

  const { hub, url } = running
  const [project] = await hub.projects.list()
  const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const { secret = '' } = await hub.destinations.add(1, { url: target })
  const arrived = once(arrivals, 'arrival')
  const send = () =>
    fetch(`${url}/api/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${project?.ingestKey}` },
      body: JSON.stringify({ source: 'shop', message: 'stock ran out' }),
    })
  await Promise.all(Array.from({ length: 20 }, send))
  await arrived

  const [first] = received
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = first?.headers ?? {}
  const key = Buffer.from(secret.slice(6), 'base64')
  assert.equal(
    signature,
    `v1,${createHmac('sha256', key).update(`${id}.${time}.${first?.body}`).digest('base64')}`,
  )
  assert.equal(JSON.parse(String(first?.body)).data.title, 'stock ran out')
  await running.stop()
  assert.equal(received.length, 1)
})
