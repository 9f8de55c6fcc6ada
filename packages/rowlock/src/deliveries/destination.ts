import type { Audience } from './audience.ts'
import type { Kept, KindName } from './kinds/kind.ts'
import type { MailSettings } from './kinds/mail.ts'
import type { DestinationRow } from './rows.ts'

/** Where a project's notices go, as it may be shown: without its secret. */
export interface Destination extends Audience, Partial<MailSettings> {
  readonly id: string
  readonly project: number
  readonly kind: KindName
  /** An address; for Slack and Discord without the part that is secret, for e-mail `mailto:`. */
  readonly url: string
  readonly enabled: boolean
  /** Why it was switched off, when it switched itself off (410). */
  readonly disabledReason: string | null
  readonly createdAt: number
}

export function shown(row: DestinationRow): Destination {
  return {
    id: row.id,
    project: row.project,
    kind: row.kind as KindName,
    ...audienceOf(row),
    url: row.url,
    ...keptOf(row).settings,
    enabled: row.enabled === 1,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
  }
}

export function keptOf({ url, secret, settings }: DestinationRow): Kept {
  return { url, secret, settings: JSON.parse(settings ?? '{}') }
}

export function audienceOf({ name, about, tags }: DestinationRow): Audience {
  return { name, only: about as Audience['only'], tags: JSON.parse(tags ?? '[]') }
}
