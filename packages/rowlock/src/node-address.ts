import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'

/** The client's address on Node: of the connection, or, behind a proxy that is trusted, as the proxy tells it. */
export function nodeAddress(trustProxy: boolean): (context: Context) => string {
  return (context) => {
    // The proxy appends the address that it saw; what stands before it came from the client.
    const forwarded = trustProxy
      ? context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim()
      : undefined
    const { incoming } = (context.env ?? {}) as { incoming?: IncomingMessage }
    return forwarded ?? incoming?.socket.remoteAddress ?? 'unknown'
  }
}
