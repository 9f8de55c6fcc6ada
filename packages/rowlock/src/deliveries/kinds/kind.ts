import type { StoredMessage } from '@rowlock/core/outbox'
import type { Mail } from '../mail.ts'
import type { Post } from '../send.ts'

export const kindNames = ['webhook', 'slack', 'discord', 'mail', 'pagerduty'] as const
export type KindName = (typeof kindNames)[number]

/** A destination as it is kept. */
export interface Kept {
  /** Where it goes, fit for being shown. */
  readonly url: string
  /** Never shown again and never logged: a signing secret, a whole address, a key, a password; may be empty. */
  readonly secret: string
  /** What else the kind needs to know, none of it secret. */
  readonly settings: Readonly<Record<string, unknown>>
}

export interface Policy {
  /** Private and link-local addresses are destinations too. */
  readonly allowPrivate: boolean
}

/** A notice to be put into the words and the request of a kind. */
export type Notice = Pick<StoredMessage, 'topic' | 'dedupKey' | 'payload' | 'createdAt'>

/** What a request is made of beside the notice. */
export interface Surroundings {
  /** When this attempt is made, ms since 1970. */
  readonly now: number
  /** Where people reach the hub, for links; null where nobody said. */
  readonly publicUrl: string | null
}

/** What is handed to a carrier. */
export type Parcel = { readonly post: Post } | { readonly mail: Mail }

/** One way to reach people or programs. */
export interface Kind {
  /** What the ids of its destinations begin with. */
  readonly prefix: string
  /** The fields that it takes. */
  readonly fields: readonly string[]
  /** Whether the secret was made here, and is shown to who adds the destination. */
  readonly tellsSecret: boolean
  /**
   * Checks what somebody entered. With `before` it is a change: fields left out stay as they are.
   * @throws InvalidInputError naming the field; never with a secret in its message.
   */
  read(given: Readonly<Record<string, unknown>>, policy: Policy, before?: Kept): Kept
  /** The request that carries a notice. The same notice gives the same content and id in every attempt. */
  carry(notice: Notice, to: Kept, surroundings: Surroundings): Promise<Parcel>
}
