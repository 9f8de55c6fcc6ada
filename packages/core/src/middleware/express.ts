import { type Capture, capture } from './capture.ts'
import { type Asked, decideIdempotency, type Refusal, takesKey } from './idempotency.ts'
import { fromBase64, type IdempotencyOptions, type KeptResponse, toBase64 } from './options.ts'

export type { IdempotencyOptions } from './options.ts'

/** What is used of Express's request. `body` is what a body parser in front of this one has made. */
export interface ExpressRequest {
  readonly method: string
  readonly originalUrl: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body?: unknown
}

/** What is used of Express's response, and of any `http.ServerResponse`. */
export interface ExpressResponse {
  statusCode: number
  setHeader(name: string, value: string | readonly string[]): unknown
  getHeaders(): Readonly<Record<string, number | string | readonly string[] | undefined>>
  write(...given: never[]): boolean
  end(...given: never[]): unknown
}

/**
 * The Idempotency-Key middleware for Express; see `idempotent` of the fetch form for what it answers.
 * Put a body parser in front of it: what the parser made of the body is what the key is compared by.
 *
 * The response is held back until it has been kept. A response that is too long to be kept is sent as
 * it comes from there on.
 */
export function idempotency<Incoming extends ExpressRequest>(
  options: IdempotencyOptions<Incoming>,
): (request: Incoming, response: ExpressResponse, next: (error?: unknown) => void) => void {
  return (request, response, next) => {
    if (!takesKey(options, request.method)) return next()
    answer(options, request, response, next).catch(next)
  }
}

async function answer<Incoming extends ExpressRequest>(
  options: IdempotencyOptions<Incoming>,
  request: Incoming,
  response: ExpressResponse,
  next: () => void,
): Promise<void> {
  let captured: Capture | undefined
  const verdict = await decideIdempotency(options, await askedBy(options, request), async () => {
    captured = capture(response, options.responseBytes ?? 262_144)
    next()
    return captured.ended
  })
  if (verdict.kind === 'pass') next()
  else if (verdict.kind === 'handled') captured?.send()
  else if (verdict.kind === 'refuse') refuse(response, verdict.refusal)
  else replay(response, verdict.response)
}

async function askedBy<Incoming extends ExpressRequest>(
  options: IdempotencyOptions<Incoming>,
  request: Incoming,
): Promise<Asked> {
  const [path, ...search] = request.originalUrl.split('?')
  const header = request.headers['idempotency-key']
  return {
    method: request.method,
    header: typeof header === 'object' ? header.join() : header,
    principal: await options.principal(request),
    route: options.route?.(request) ?? `${request.method} ${path}`,
    async payload() {
      const { body } = request
      const given = body instanceof Uint8Array ? toBase64(body) : (body ?? null)
      if (JSON.stringify(given).length > (options.requestBytes ?? 1_048_576)) return null
      return { of: { search: search.join('?'), body: given } }
    },
  }
}

function replay(response: ExpressResponse, { status, headers, body }: KeptResponse): void {
  response.statusCode = status
  const byName = Map.groupBy(headers, ([name]) => name)
  for (const [name, values] of byName) {
    response.setHeader(name, values.length === 1 ? values[0]![1] : values.map(([, value]) => value))
  }
  response.setHeader('idempotency-replayed', 'true')
  response.end(fromBase64(body!) as never)
}

function refuse(response: ExpressResponse, { retryAfterSeconds, ...problem }: Refusal): void {
  response.statusCode = problem.status
  response.setHeader('content-type', 'application/problem+json')
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', String(retryAfterSeconds))
  response.end(JSON.stringify(problem) as never)
}
