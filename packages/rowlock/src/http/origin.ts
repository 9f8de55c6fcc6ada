import type { Context } from 'hono'
import type { HubConfig } from '../config/index.ts'
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

/** The address under which this request reached the hub, for links that are shown to people. */
export function originOf(context: Context, config: HubConfig): string {
  if (config.publicUrl !== null) return config.publicUrl
  const { host } = new URL(context.req.url)
  return `${isEncrypted(context, config) ? 'https' : 'http'}://${host}`
}

/** Whether the browser spoke TLS, with the hub or with the proxy in front of it. */
export function isEncrypted(context: Context, { publicUrl, trustProxy }: HubConfig): boolean {
  if (publicUrl !== null) return publicUrl.startsWith('https:')
  const forwarded = trustProxy
    ? context.req.header('x-forwarded-proto')?.split(',').at(-1)?.trim()
    : undefined
  return (forwarded ?? new URL(context.req.url).protocol.slice(0, -1)) === 'https'
}
