import { idempotentResponse } from './fetch.ts'
import type { IdempotencyOptions } from './options.ts'

export type { IdempotencyOptions } from './options.ts'

/** What is used of Hono's context. */
export interface HonoContext {
  readonly req: { readonly raw: Request }
  res: Response
}

/**
 * The Idempotency-Key middleware for Hono; see `idempotent` of the fetch form for what it answers.
 *
 *     app.post('/orders', idempotency({ claims, principal: (c) => c.get('user').id }), createOrder)
 *
 * Hono turns an error of a handler into a response before this middleware sees it: by default one
 * with status 500, which frees the key.
 */
export function idempotency<Context extends HonoContext>(
  options: IdempotencyOptions<Context>,
): (context: Context, next: () => Promise<void>) => Promise<Response | undefined> {
  return async (context, next) => {
    const { principal, route, ...rest } = options
    const bound: IdempotencyOptions<Request> = {
      ...rest,
      principal: () => principal(context),
      ...(route && { route: () => route(context) }),
    }
    let ran = false
    const response = await idempotentResponse(bound, context.req.raw, async () => {
      ran = true
      await next()
      return context.res
    })
    return ran ? undefined : response
  }
}
