import { RowlockError } from '@rowlock/core'

/** A request that is answered with an error for a reason of HTTP's own. */
export class Refusal extends RowlockError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    options: {
      headers?: Record<string, string>
      details?: Record<string, unknown>
      retryable?: boolean
    } = {},
  ) {
    super(code, message, { retryable: options.retryable ?? false, details: options.details ?? {} })
    this.status = status
    this.headers = options.headers ?? {}
  }
}

export const unauthenticated = (message: string) =>
  new Refusal(401, 'UNAUTHENTICATED', message, { headers: { 'www-authenticate': 'Bearer realm="rowlock"' } })

export const forbidden = (message: string) => new Refusal(403, 'FORBIDDEN', message)

export const tooLarge = (limit: number) =>
  new Refusal(413, 'TOO_LARGE', `the body is larger than ${limit} bytes`, { details: { limit } })

export const unsupported = (message: string) => new Refusal(415, 'UNSUPPORTED_MEDIA_TYPE', message)

export const tooMany = (message: string, waitMs: number) =>
  new Refusal(429, 'TOO_MANY_REQUESTS', message, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) },
    retryable: true,
  })
