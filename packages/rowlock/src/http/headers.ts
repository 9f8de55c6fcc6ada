import type { MiddlewareHandler } from 'hono'

/** Nothing from elsewhere, no script, no frame. The referrer stays within the site: browsers tell the origin only with it. */
const headers: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** Headers that every answer but the intake's carries. Answers are not kept by caches unless they say so. */
export const securityHeaders: MiddlewareHandler = async (context, next) => {
  await next()
  for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value)
  if (!context.res.headers.has('cache-control')) context.res.headers.set('cache-control', 'no-store')
}
