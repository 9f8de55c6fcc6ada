import { InvalidInputError } from '@rowlock/core'
import { describe, wholeNumber } from '@rowlock/core/module'
import { hashOf } from '../../identity/secrets.ts'
import { type Mail, type MailServer, type Security, securities } from '../mail.ts'
import { storyOf } from '../story/index.ts'
import type { ToldStory } from '../story/types.ts'
import { timeInUtc } from '../story/words.ts'
import type { Kept, Kind } from './kind.ts'
import { readAddress, readAddresses, readHost, readPassword, readUser } from './mail-fields.ts'

/** What a list shows of it. */
export interface MailSettings {
  readonly host: string
  readonly port: number
  readonly security: Security
  readonly user: string | null
  readonly from: string
  readonly to: readonly string[]
}

/** People, by e-mail over a mail server of yours (SMTP). */
export const mail: Kind = {
  prefix: 'mail',
  fields: ['host', 'port', 'security', 'user', 'password', 'from', 'to'],
  tellsSecret: false,
  read(given, policy, before) {
    const kept = before?.settings as MailSettings | undefined
    const port = wholeNumber('port', given.port ?? kept?.port ?? 587, 1, 65_535)
    const security = readSecurity(
      given.security ?? (given.port === undefined ? kept?.security : undefined),
      port,
    )
    const user = given.user === undefined && kept !== undefined ? kept.user : readUser(given.user)
    const host = given.host === undefined && kept !== undefined ? kept.host : readHost(given.host, policy)
    const settings: MailSettings = {
      host,
      port,
      security,
      user,
      from: given.from === undefined && kept !== undefined ? kept.from : readAddress('from', given.from),
      to: given.to === undefined && kept !== undefined ? kept.to : readAddresses('to', given.to),
    }
    const secret = readPassword(given.password, settings, before)
    return { url: `mailto:${settings.to.join(',')}`, secret, settings: { ...settings } }
  },
  async carry(notice, to, surroundings) {
    const story = storyOf(notice, surroundings)
    const { from } = to.settings as unknown as MailSettings
    const domain = from.slice(from.lastIndexOf('@') + 1)
    return {
      mail: {
        ...letter(story, to),
        messageId: `${(await hashOf(notice.dedupKey)).slice(0, 40)}@${domain}`,
        threadId: `${(await hashOf(`thread ${story.thread}`)).slice(0, 40)}@${domain}`,
      },
    }
  },
}

function letter(story: ToldStory, { secret, settings }: Kept): Omit<Mail, 'messageId' | 'threadId'> {
  const { host, port, security, user, from, to } = settings as unknown as MailSettings
  const server: MailServer = { host, port, security, user, password: secret }
  return { server, from, to, subject: story.title, text: textOf(story) }
}

/** Plain text: one fact a line, then where to read on. */
export function textOf({ title, facts, link }: ToldStory): string {
  const lines = facts.map(
    ({ name, value }) => `${name}: ${typeof value === 'string' ? value : timeInUtc(value.at)}`,
  )
  const blocks = [title, lines.join('\n'), link ?? '', '-- \nSent by Rowlock']
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function readSecurity(given: unknown, port: number): Security {
  if (given === undefined || given === null) return port === 465 ? 'tls' : 'starttls'
  const found = securities.find((name) => name === given)
  if (found !== undefined) return found
  throw new InvalidInputError('security', `is ${describe(given)}`, securities.join(', '))
}
