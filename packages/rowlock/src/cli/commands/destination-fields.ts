import type { Command } from 'commander'
import { abouts } from '../../deliveries/audience.ts'
import { type KindName, kindNames } from '../../deliveries/kinds/kind.ts'
import { securities } from '../../deliveries/mail.ts'
import { usageError } from '../failure.ts'
import type { Session } from '../session.ts'
import { choice } from './arguments.ts'

/** What may be said of a destination on the command line. */
export interface FieldOptions {
  readonly name?: string
  readonly only?: string
  readonly tags?: string
  readonly secret?: string
  readonly smtp?: string
  readonly security?: string
  readonly from?: string
  readonly user?: string
  readonly password?: string
}

/** For mail servers; a flag would show in ps. */
const PASSWORD_VARIABLE = 'ROWLOCK_SMTP_PASSWORD'

export function withFields(command: Command): Command {
  return command
    .option('--name <NAME>', 'what people call it')
    .addOption(choice('--only <WHAT>', 'only these notices', [...abouts, 'all']))
    .option(
      '--tags <LIST>',
      'of outages only those of devices with one of these tags, comma-separated; "" for all',
    )
    .option('--secret <SECRET>', 'webhook: sign with this one (whsec_…) in place of a new one')
    .option('--smtp <HOST[:PORT]>', 'mail: the mail server; port 587 unless it is given')
    .addOption(choice('--security <HOW>', 'mail: tls for port 465, starttls for others', securities))
    .option('--from <ADDRESS>', 'mail: the sender')
    .option('--user <NAME>', 'mail: the user at the mail server')
    .option(
      '--password <PASSWORD>',
      `mail: the user’s password (${PASSWORD_VARIABLE}, which does not show in ps)`,
    )
}

export const kindOption = () =>
  choice('--kind <KIND>', 'what it is; told by TO unless it is given', kindNames)

/** What kind of destination an address is. */
export function kindOf(to: string): KindName {
  if (/^https:\/\/hooks\.slack(-gov)?\.com\//.test(to)) return 'slack'
  if (/^https:\/\/([a-z]+\.)?discord(app)?\.com\/api\//.test(to)) return 'discord'
  if (/^[A-Za-z0-9]{32}$/.test(to)) return 'pagerduty'
  return to.includes('@') && !to.includes('://') ? 'mail' : 'webhook'
}

/** The body that asks the hub for it; `to` is undefined where it stays as it is. */
export function fieldsOf(
  session: Session,
  kind: KindName,
  { to, options }: { to: string | undefined; options: FieldOptions },
): Record<string, unknown> {
  const { name, only, tags, secret, smtp, security, from, user } = options
  const [host, port] = smtp === undefined ? [] : serverOf(smtp)
  // The variable may be there for other commands: it is taken with the user or the server that it belongs to.
  const signsIn = kind === 'mail' && (user !== undefined || smtp !== undefined)
  const password = options.password ?? (signsIn ? session.environment[PASSWORD_VARIABLE] : undefined)
  return {
    [kind === 'mail' ? 'to' : kind === 'pagerduty' ? 'routingKey' : 'url']: to,
    name,
    only: only === 'all' ? null : only,
    tags: tags
      ?.split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    secret,
    host,
    port,
    security,
    from,
    user,
    password: password === '' ? undefined : password,
  }
}

/** The address as it was given, or, for `-`, the first line of standard input, so that it shows nowhere. */
export async function readTo(session: Session, given: string): Promise<string> {
  if (given !== '-') return given
  let text = ''
  for await (const chunk of session.in) text += String(chunk)
  return text.trim().split('\n')[0]?.trim() ?? ''
}

/** HOST, HOST:PORT, [IPv6]:PORT. */
function serverOf(given: string): [host: string, port: number | undefined] {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(given) ?? []
  const host = bracketed ?? plain
  if (host !== undefined) return [host, port === undefined ? undefined : Number(port)]
  throw usageError(`--smtp is ${JSON.stringify(given)}`, {
    accepted: 'smtp.example.com or smtp.example.com:465',
  })
}
