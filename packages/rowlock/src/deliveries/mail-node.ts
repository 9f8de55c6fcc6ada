import type { Mail, MailReply, MailServer, SendMail } from './mail.ts'
import { type LookUp, lookUpAll, pin, unlessAborted } from './pin.ts'

export interface NodeMailOptions {
  readonly allowPrivate: boolean
  /** Resolves a name; the system's resolver by default. */
  readonly resolve?: LookUp
  /** Of one letter, from looking the server up to its last answer. Less than a lease of the outbox. */
  readonly timeoutMs?: number
  /** How long a connection waits for another letter before it says goodbye. */
  readonly idleMs?: number
  /** Certificates to trust beside the system's (PEM). */
  readonly certificates?: string
}

/** Silence of the server for so long ends the attempt. */
const SILENCE_MS = 10_000
const LETTER_MS = 30_000
const IDLE_MS = 500

type Connection = Awaited<ReturnType<typeof connectTo>>

/**
 * Sends through mail servers (SMTP). Letters to one server that are under way together share one connection; it ends
 * when there are no more. As with webhooks the server's name is resolved once, every address is checked, and the connection
 * goes to one of those, with the certificate checked against the name.
 */
export function nodeMail(options: NodeMailOptions): SendMail {
  const { timeoutMs = LETTER_MS } = options
  const open = new Map<string, { users: number; connection: Promise<Connection> }>()

  const use = async <T>(server: MailServer, work: (connection: Connection) => Promise<T>): Promise<T> => {
    const key = JSON.stringify(server)
    const shared = open.get(key) ?? { users: 0, connection: connectTo(server, options) }
    open.set(key, shared)
    shared.users += 1
    try {
      return await work(await shared.connection)
    } finally {
      shared.users -= 1
      if (shared.users === 0) open.delete(key)
    }
  }

  return async (mail) => {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      return await unlessAborted(
        signal,
        use(mail.server, async (connection) => replyOf(await connection.sendMail(letterOf(mail, signal)))),
      )
    } catch (error) {
      if (signal.aborted) throw new Error(`the mail server did not take it within ${timeoutMs} ms`)
      const refusal = refusalOf(error)
      if (refusal === undefined) throw error
      return refusal
    }
  }
}

async function connectTo(server: MailServer, options: NodeMailOptions) {
  const found = pin(server.host, options.resolve ?? lookUpAll, options.allowPrivate)
  const { address } = await unlessAborted(AbortSignal.timeout(SILENCE_MS), found)
  // Loaded when needed only: most hubs and commands send no mail.
  const { default: nodemailer } = await import('nodemailer')
  const { host, port, security, user, password } = server
  const { idleMs = IDLE_MS, certificates } = options
  return nodemailer.createTransport({
    pool: true,
    maxConnections: 1,
    // What breaks off goes back to the outbox, which tries again later and counts.
    maxRequeues: 0,
    idleTimeout: idleMs,
    host: address,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    servername: host,
    tls: { minVersion: 'TLSv1.2', ...(certificates === undefined ? {} : { ca: certificates }) },
    ...(user === null ? {} : { auth: { user, pass: password } }),
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

function letterOf({ from, to, subject, text, messageId, threadId }: Mail, signal: AbortSignal) {
  return {
    from: { name: 'Rowlock', address: from },
    to: [...to],
    subject,
    text,
    messageId: `<${messageId}>`,
    inReplyTo: `<${threadId}>`,
    references: [`<${threadId}>`],
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
    signal,
  }
}

/** 250 2.0.0 Ok: queued */
function replyOf({
  response = '',
  rejected = [],
}: {
  response?: string
  rejected?: readonly unknown[]
}): MailReply {
  return { code: Number.parseInt(response, 10) || 250, text: response, refused: rejected.map(String) }
}

/**
 * What the server refused with; undefined where it did not say, and where encryption failed: somebody between us may have
 * seen to that, and must not be able to end a delivery for good.
 */
function refusalOf(error: unknown): MailReply | undefined {
  const { code, responseCode, response, message } = error as Readonly<Record<string, unknown>>
  if (typeof responseCode !== 'number' || code === 'ETLS') return undefined
  return { code: responseCode, text: typeof response === 'string' ? response : String(message) }
}
