import type { Context } from 'hono'
import { forbidden } from './refusal.ts'

/**
 * A cookie counts only for requests that the hub's own page makes; browsers say where a request comes from.
 * @throws Refusal 403 for a changing request from elsewhere, or from nowhere.
 */
export function refuseForeignOrigin(context: Context, publicUrl: string | null): void {
  if (['GET', 'HEAD'].includes(context.req.method)) return
  const site = context.req.header('sec-fetch-site')
  const origin = context.req.header('origin')
  const own =
    site === undefined ? isOwn(origin, context.req.header('host'), publicUrl) : site === 'same-origin'
  if (!own) throw forbidden('the request comes from another site')
}

function isOwn(origin: string | undefined, host: string | undefined, publicUrl: string | null): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false
  return origin === publicUrl || new URL(origin).host === host
}
