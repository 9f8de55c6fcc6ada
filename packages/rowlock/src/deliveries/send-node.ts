import { request as plain } from 'node:http'
import { request as encrypted } from 'node:https'
import { lookUpAll, pin, type ResolvedAddress, unlessAborted } from './pin.ts'
import { type Reply, SEND_TIMEOUT_MS, type Send } from './send.ts'

export interface NodeSendOptions {
  readonly allowPrivate: boolean
  /** Resolves a name; the system's resolver by default. */
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>
  readonly timeoutMs?: number
}

/**
 * Sends over a connection of its own. The name is resolved once, every address it has is checked, and the connection
 * goes to one of those: a name that resolves to something else a moment later changes nothing.
 */
export function nodeSend(options: NodeSendOptions): Send {
  const { allowPrivate, timeoutMs = SEND_TIMEOUT_MS } = options
  const lookUp = options.resolve ?? lookUpAll
  return async ({ url, headers, body }) => {
    const target = new URL(url)
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const address = await unlessAborted(signal, pin(target.hostname, lookUp, allowPrivate))
      return await post(target, address, { headers, body, signal })
    } catch (error) {
      throw signal.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error
    }
  }
}

interface Content {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

function post(target: URL, pinned: ResolvedAddress, { headers, body, signal }: Content): Promise<Reply> {
  const open = target.protocol === 'https:' ? encrypted : plain
  return new Promise((answer, fail) => {
    const request = open(target, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      agent: false,
      signal,
      // Called for names only; the certificate is still checked against the name.
      lookup: (_host, options, found) => {
        if (options.all === true) found(null, [{ address: pinned.address, family: pinned.family }])
        else found(null, pinned.address, pinned.family)
      },
    })
    request.on('error', fail)
    request.on('response', (response) => {
      response.on('error', () => {})
      const retryAfter = response.headers['retry-after'] ?? null
      answer({ status: response.statusCode ?? 0, retryAfter })
      response.destroy()
    })
    request.end(body)
  })
}
