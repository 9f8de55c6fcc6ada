import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { ResolvedAddress } from '../../src/deliveries/pin.ts'
import { PrivateDestinationError } from '../../src/deliveries/send.ts'
import { nodeSend } from '../../src/deliveries/send-node.ts'

interface Received {
  readonly request: IncomingMessage
  readonly body: string
}

async function receiver(
  context: TestContext,
  answer: (response: ServerResponse) => void,
): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = []
  const server: Server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ request, body })
    answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, received }
}

const post = (url: string) => ({
  url,
  headers: { 'content-type': 'application/json', 'webhook-id': 'a' },
  body: '{"title":"在庫"}',
})

test('a POST arrives as it was given, and its answer is told', async (context) => {
  const { port, received } = await receiver(context, (response) => {
    response.writeHead(429, { 'retry-after': '17' }).end('slow down')
  })
  const reply = await nodeSend({ allowPrivate: true })(post(`http://127.0.0.1:${port}/hook?a=1`))
  assert.deepEqual(reply, { status: 429, retryAfter: '17' })
  assert.equal(received[0]?.body, '{"title":"在庫"}')
  assert.equal(received[0]?.request.url, '/hook?a=1')
  assert.equal(received[0]?.request.headers['webhook-id'], 'a')
})

test('redirects are told, not followed', async (context) => {
  const { port, received } = await receiver(context, (response) => {
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  assert.equal((await nodeSend({ allowPrivate: true })(post(`http://127.0.0.1:${port}/`))).status, 302)
  assert.equal(received.length, 1)
})

test('private addresses are refused before a connection is made, however they are written', async (context) => {
  const { port, received } = await receiver(context, (response) => response.end())
  const send = nodeSend({ allowPrivate: false, resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
  for (const host of [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f.1',
    'hooks.example.com',
    '0.0.0.0',
  ]) {
    await assert.rejects(send(post(`http://${host}:${port}/`)), PrivateDestinationError, host)
  }
  assert.equal(received.length, 0)
})

test('one private address among several is enough to refuse the name', async () => {
  const addresses: ResolvedAddress[] = [
    { address: '93.184.216.34', family: 4 },
    { address: '10.0.0.5', family: 4 },
  ]
  const send = nodeSend({ allowPrivate: false, resolve: async () => addresses })
  await assert.rejects(send(post('http://hooks.example.com/')), /10\.0\.0\.5/)
})

test('the name is resolved once, and the connection goes where was checked', async (context) => {
  const { port, received } = await receiver(context, (response) => response.end())
  let asked = 0
  const send = nodeSend({
    allowPrivate: true,
    resolve: async () => {
      asked += 1
      return [{ address: asked === 1 ? '127.0.0.1' : '192.0.2.1', family: 4 }]
    },
  })
  assert.equal((await send(post(`http://hooks.example.test:${port}/`))).status, 200)
  assert.equal(asked, 1)
  assert.equal(received[0]?.request.headers.host, `hooks.example.test:${port}`)
})

test('silence ends with the time-out: of the name, of the connection, of the answer', async (context) => {
  const { port } = await receiver(context, () => {})
  const never = () => new Promise<never>(() => {})
  const slow = { allowPrivate: true, timeoutMs: 50 }
  await assert.rejects(nodeSend(slow)(post(`http://127.0.0.1:${port}/`)), /no answer within 50 ms/)
  await assert.rejects(
    nodeSend({ ...slow, resolve: never })(post('http://hooks.example.test/')),
    /no answer within 50 ms/,
  )
})

test('a refused connection and a name without address are failures that say why', async (context) => {
  const { port } = await receiver(context, (response) => response.end())
  const send = nodeSend({ allowPrivate: true, resolve: async () => [] })
  await assert.rejects(send(post('http://hooks.example.test/')), /no address/)
  await assert.rejects(send(post(`https://127.0.0.1:${port}/`)), Error)
})
