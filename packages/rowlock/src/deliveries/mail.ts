/** A letter to people, on its way through a mail server. */
export interface Mail {
  readonly server: MailServer
  readonly from: string
  readonly to: readonly string[]
  /** One line. */
  readonly subject: string
  readonly text: string
  /** Stays the same over all attempts. Without angle brackets. */
  readonly messageId: string
  /** Letters with the same one are shown together. Without angle brackets. */
  readonly threadId: string
}

export const securities = ['tls', 'starttls', 'none'] as const
/** `tls` from the first byte, `starttls` before anything is said that matters (required), `none` for a relay next door. */
export type Security = (typeof securities)[number]

export interface MailServer {
  readonly host: string
  readonly port: number
  readonly security: Security
  readonly user: string | null
  readonly password: string
}

/** What the mail server said at last: 250 took it, 4xx later perhaps, 5xx never. */
export interface MailReply {
  readonly code: number
  readonly text: string
  /** Recipients that it refused while it took the letter for others. */
  readonly refused?: readonly string[]
}

/**
 * Hands a letter to its mail server.
 * @throws PrivateDestinationError when the server is not on the public internet; any other error when there was no answer.
 */
export type SendMail = (mail: Mail) => Promise<MailReply>
