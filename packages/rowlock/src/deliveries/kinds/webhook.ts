import { InvalidInputError } from '@rowlock/core'
import { withIsoInstants } from '../../instants.ts'
import { isSecret, newSecret, sign } from '../sign.ts'
import { readUrl } from '../url.ts'
import type { Kind } from './kind.ts'

/** A program of yours: JSON, signed after Standard Webhooks. */
export const webhook: Kind = {
  prefix: 'wh',
  fields: ['url', 'secret'],
  tellsSecret: true,
  read({ url, secret }, policy, before) {
    return {
      url: url === undefined && before !== undefined ? before.url : readUrl(url, policy),
      secret: secret === undefined ? (before?.secret ?? newSecret()) : readSecret(secret),
      settings: {},
    }
  },
  async carry({ topic, dedupKey, payload, createdAt }, { url, secret }, { now }) {
    const timestamp = new Date(createdAt).toISOString()
    const body = JSON.stringify({ type: topic, timestamp, data: withIsoInstants(JSON.parse(payload)) })
    const signed = await sign(secret, webhookId(dedupKey), now, body)
    const headers = { 'content-type': 'application/json', 'user-agent': 'rowlock-webhooks', ...signed }
    return { post: { url, body, headers } }
  },
}

/** A full stop would end the id inside the signed text, so it is written another way. */
export function webhookId(dedupKey: string): string {
  return dedupKey.replaceAll('.', '%2E')
}

function readSecret(given: unknown): string {
  if (typeof given === 'string' && isSecret(given)) return given
  throw new InvalidInputError(
    'secret',
    'is malformed',
    'whsec_ and 24 to 64 bytes in Base64, or none for a new one',
  )
}
