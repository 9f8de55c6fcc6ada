import type { StoredMessage } from '@rowlock/core/outbox'
import { withIsoInstants } from '../instants.ts'
import type { Post } from './send.ts'
import { sign } from './sign.ts'

export const WON = 'issue.won'

/** Which win of which issue a delivery belongs to; it stands in its dedup key. */
export interface WinRef {
  readonly issue: string
  readonly token: number
}

/** `<issue>:<token>:<destination>`, read from its end since an issue's id may hold colons. */
export function winOf(dedupKey: string): WinRef | undefined {
  const [, issue, token] = /^(.+):(\d{1,15}):[^:]+$/.exec(dedupKey) ?? []
  return issue === undefined || token === undefined ? undefined : { issue, token: Number(token) }
}

/** The request that carries a delivery: the same body and id in every attempt. */
export async function postOf(
  message: Pick<StoredMessage, 'topic' | 'dedupKey' | 'payload' | 'createdAt'>,
  destination: { readonly url: string; readonly secret: string },
  now: number,
): Promise<Post> {
  const data = withIsoInstants(JSON.parse(message.payload))
  const timestamp = new Date(message.createdAt).toISOString()
  return await signedPost(destination, {
    id: webhookId(message.dedupKey),
    now,
    body: JSON.stringify({ type: message.topic, timestamp, data }),
  })
}

/** A request that only shows whether the address answers. */
export async function testPost(destination: { url: string; secret: string }, now: number): Promise<Post> {
  const body = { type: 'test', timestamp: new Date(now).toISOString(), data: { message: 'It works.' } }
  return await signedPost(destination, { id: `test_${now}`, now, body: JSON.stringify(body) })
}

/** A full stop would end the id inside the signed text, so it is written another way. */
export function webhookId(dedupKey: string): string {
  return dedupKey.replaceAll('.', '%2E')
}

async function signedPost(
  { url, secret }: { url: string; secret: string },
  { id, now, body }: { id: string; now: number; body: string },
): Promise<Post> {
  const signed = await sign(secret, id, now, body)
  return {
    url,
    body,
    headers: { 'content-type': 'application/json', 'user-agent': 'rowlock-webhooks', ...signed },
  }
}
