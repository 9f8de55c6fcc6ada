import { type Asked, decideIdempotency, type Refusal, takesKey } from './idempotency.ts'
import { fromBase64, type IdempotencyOptions, type KeptResponse, keptHeaders, toBase64 } from './options.ts'

export type { IdempotencyOptions } from './options.ts'

export type FetchHandler<Rest extends readonly unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | Promise<Response>

/**
 * Makes a fetch handler idempotent by the Idempotency-Key header: 400 without a key, 409 with
 * Retry-After while the first request is in progress, 422 when the key comes with another request,
 * and the kept response, marked `Idempotency-Replayed: true`, when it is done.
 *
 * A response that is not kept (a server error, say) and an error that is thrown free the key.
 * Set-Cookie is never kept. Event streams do not belong behind it: responses are read to the end.
 */
export function idempotent<Rest extends readonly unknown[]>(
  handler: FetchHandler<Rest>,
  options: IdempotencyOptions<Request>,
): (request: Request, ...rest: Rest) => Promise<Response> {
  return async (request, ...rest) =>
    idempotentResponse(options, request, async () => handler(request, ...rest))
}

/** The same around one request. The body of `request` is left unread for the handler. */
export async function idempotentResponse(
  options: IdempotencyOptions<Request>,
  request: Request,
  handle: () => Promise<Response>,
): Promise<Response> {
  if (!takesKey(options, request.method)) return handle()
  let handled: Response | undefined
  const verdict = await decideIdempotency(options, await askedBy(options, request), async () => {
    const response = await handle()
    const { kept, sent } = await keptResponse(response, options.responseBytes ?? 262_144)
    handled = sent
    return kept
  })
  if (verdict.kind === 'pass') return handle()
  if (verdict.kind === 'refuse') return refusalResponse(verdict.refusal)
  if (verdict.kind === 'handled') return handled!
  const { status, headers, body } = verdict.response
  const replayed = new Headers([...headers, ['idempotency-replayed', 'true']] as [string, string][])
  const bytes = fromBase64(body!)
  return new Response(mayHaveBody(status) ? bytes : null, { status, headers: replayed })
}

async function askedBy(options: IdempotencyOptions<Request>, request: Request): Promise<Asked> {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    header: request.headers.get('idempotency-key'),
    principal: await options.principal(request),
    route: options.route?.(request) ?? `${request.method} ${pathname}`,
    async payload() {
      const body = await readAll(request.clone().body, options.requestBytes ?? 1_048_576)
      if (body === null) return null
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
      return { of: { search, body: toBase64(digest) } }
    },
  }
}

/** The response as it is kept, and as it is to be sent: with its body read, or streaming on behind the limit. */
async function keptResponse(
  response: Response,
  longest: number,
): Promise<{ kept: KeptResponse; sent: Response }> {
  const { status } = response
  const headers = keptHeaders(response.headers)
  const copy = response.clone()
  const body = await readAll(copy.body, longest)
  return { kept: { status, headers, body: body && toBase64(body) }, sent: response }
}

/** All bytes of a stream, or null when there are more than `longest`. */
async function readAll(
  stream: ReadableStream<Uint8Array> | null,
  longest: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = stream?.getReader()
  for (;;) {
    const read = await reader?.read()
    if (read === undefined || read.done) break
    length += read.value.length
    if (length > longest) {
      // Not awaited: the other copy of the stream may not have been read yet.
      void reader?.cancel()
      return null
    }
    chunks.push(read.value)
  }
  const all = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

function mayHaveBody(status: number): boolean {
  return ![101, 103, 204, 205, 304].includes(status)
}

export function refusalResponse({ retryAfterSeconds, ...problem }: Refusal): Response {
  const headers: Record<string, string> = { 'content-type': 'application/problem+json' }
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}
