import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { certificate, privateKey } from './certificate.ts'

export interface Letter {
  readonly from: string
  readonly to: readonly string[]
  /** As it came, headers and all. */
  readonly raw: string
  readonly encrypted: boolean
  readonly user: string | undefined
  readonly connection: string
}

export interface PostOffice {
  readonly port: number
  readonly letters: Letter[]
  /** Connections that were opened so far. */
  connections: number
  /** What it refuses, where it does: with these words. */
  refuse: (
    step: 'login' | 'recipient' | 'letter',
    about: string,
  ) => { code: number; text: string } | undefined
  /** Where set, a letter is answered when this is over. */
  hold: Promise<void> | undefined
}

const PASSWORD = 'letmein-please'

/** A mail server of this machine that speaks SMTP. It knows the user rowlock with the password `letmein-please`. */
export async function postOffice(
  context: TestContext,
  { security = 'starttls', login = true }: { security?: 'tls' | 'starttls' | 'none'; login?: boolean } = {},
): Promise<PostOffice> {
  const here: PostOffice = { port: 0, letters: [], connections: 0, refuse: () => undefined, hold: undefined }
  const refusal = (...step: Parameters<PostOffice['refuse']>): Error | undefined => {
    const refused = here.refuse(...step)
    return refused && Object.assign(new Error(refused.text), { responseCode: refused.code })
  }
  const server = new SMTPServer({
    secure: security === 'tls',
    key: privateKey,
    cert: certificate,
    authOptional: !login,
    disabledCommands: [...(security === 'none' ? ['STARTTLS'] : []), ...(login ? [] : ['AUTH'])],
    logger: false,
    onConnect(_session, done) {
      here.connections += 1
      done()
    },
    onAuth({ username, password }, _session, done) {
      const refused = refusal('login', String(username))
      if (refused !== undefined) return done(refused)
      if (username === 'rowlock' && password === PASSWORD) return done(null, { user: username })
      done(Object.assign(new Error(`no user with the password ${password}`), { responseCode: 535 }))
    },
    onRcptTo: ({ address }, _session, done) => done(refusal('recipient', address)),
    async onData(stream, session, done) {
      let raw = ''
      for await (const chunk of stream) raw += chunk
      await here.hold
      const refused = refusal('letter', raw)
      if (refused !== undefined) return done(refused)
      const { mailFrom, rcptTo } = session.envelope
      here.letters.push({
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        raw,
        encrypted: session.secure === true,
        user: session.user as string | undefined,
        connection: session.id,
      })
      done()
    },
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  context.after(() => new Promise<void>((ended) => server.close(() => ended())))
  return Object.assign(here, { port: (listening.address() as AddressInfo).port })
}
