import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type ExpressRequest, idempotency } from '../../src/middleware/express.ts'
import { freshClaims } from './given.ts'
import { idempotencySuite } from './suite.ts'

/** What Express adds to Node's request, and the JSON body parser. */
async function parsed(incoming: IncomingMessage): Promise<IncomingMessage & ExpressRequest> {
  const body = JSON.parse(await text(incoming))
  return Object.assign(incoming, { body, originalUrl: incoming.url! }) as IncomingMessage & ExpressRequest
}

idempotencySuite('Express', async (work, options) => {
  const claims = await freshClaims()
  const middleware = idempotency<ExpressRequest>({
    claims,
    principal: (request) => String(request.headers['x-user']),
    ...options,
  })
  const server = createServer(async (incoming, response) => {
    const request = await parsed(incoming)
    const fail = () => {
      response.statusCode = 500
      response.end('error')
    }
    const handle = async () => {
      work.calls += 1
      const { status, body, headers } = await work.next(request.body)
      response.statusCode = status
      response.setHeader('content-type', 'application/json; charset=utf-8')
      for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value)
      // In two pieces, one of them with an encoding and a callback, as streams write.
      response.write(body.slice(0, 2), 'utf8', () => {})
      response.end(Buffer.from(body.slice(2)))
    }
    middleware(request, response as never, (error) => {
      if (error) fail()
      else handle().catch(fail)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    send: async (request) => {
      const { pathname, search } = new URL(request.url)
      const { method, headers } = request
      const body = await request.text()
      return fetch(`http://127.0.0.1:${port}${pathname}${search}`, { method, headers, body })
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
})
