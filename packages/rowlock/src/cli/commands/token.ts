import type { Command } from 'commander'
import { createGround } from '../../ground.ts'
import { createTokens, type NewToken, type Token } from '../../identity/tokens.ts'
import { usageError } from '../failure.ts'
import type { OverHttp } from '../output/http.ts'
import { printJson, printLine, printList, printNote } from '../output/print.ts'
import { relative } from '../output/times.ts'
import type { Session } from '../session.ts'
import { examples } from './help-text.ts'
import { findProject } from './project.ts'

interface AddOptions {
  readonly scopes: string
  readonly project?: string
}

const SCOPES = 'comma-separated: read, write, admin, ingest'

export function defineToken(command: Command, session: Session): void {
  command.description(
    'Tokens: named secrets of people and machines. A secret is shown once and kept as a hash.',
  )
  command
    .command('list', { isDefault: true })
    .description('Lists tokens, revoked ones too.')
    .addHelpText('after', examples('rowlock token list'))
    .action(() => list(session))
  command
    .command('add')
    .argument('<NAME>', 'who or what it is for; holder of its claims')
    .requiredOption('--scopes <LIST>', SCOPES)
    .option('--project <NAME>', 'it reaches only this project')
    .description('Makes a token and prints its secret, this once.')
    .addHelpText(
      'after',
      examples('rowlock token add alice --scopes write', [
        'export ROWLOCK_TOKEN=$(rowlock token add ci --scopes ingest --project shop)',
        'standard output holds nothing but the secret',
      ]),
    )
    .action((name: string, options: AddOptions) => add(session, name, options))
  command
    .command('revoke')
    .argument('<NAME>')
    .description('Refuses a token from now on.')
    .addHelpText('after', examples('rowlock token revoke alice'))
    .action(async (name: string) => {
      const api = await session.open()
      const token = await api.remove<Shown>(`/api/tokens/${encodeURIComponent(name)}`)
      if (session.options.json === true) printJson(session, token)
      else printLine(session, `${token.name} is revoked; other nodes notice within seconds`)
    })
  command
    .command('reset')
    .argument('[NAME]', 'made if it is missing, alive again if revoked', 'admin')
    .option('--scopes <LIST>', SCOPES, 'admin')
    .description('The way back in: a new secret for a token. Works on a database only.')
    .addHelpText(
      'after',
      examples('rowlock token reset', 'rowlock token reset --db /var/lib/rowlock/rowlock.db'),
    )
    .action((name: string, { scopes }: { scopes: string }) => reset(session, name, scopes))
}

type Shown = OverHttp<Token>

async function list(session: Session): Promise<void> {
  const api = await session.open()
  const { tokens } = await api.get<{ tokens: readonly Shown[] }>('/api/tokens')
  const now = session.now()
  const columns = [
    { title: 'NAME', value: ({ name }: Shown) => name },
    { title: 'SCOPES', value: ({ scopes }: Shown) => scopes.join(', ') },
    { title: 'PROJECT', value: ({ project }: Shown) => project ?? 'all', right: true },
    { title: 'MADE', value: ({ createdAt }: Shown) => relative(createdAt, now) },
    {
      title: 'REVOKED',
      value: ({ revokedAt }: Shown) => (revokedAt === null ? null : relative(revokedAt, now)),
    },
  ]
  printList(session, tokens, columns, 'no tokens')
}

async function add(session: Session, name: string, options: AddOptions): Promise<void> {
  const api = await session.open()
  const project = options.project === undefined ? null : (await findProject(api, options.project)).id
  printSecret(
    session,
    await api.post<OverHttp<NewToken>>('/api/tokens', { name, scopes: options.scopes, project }),
  )
}

async function reset(session: Session, name: string, scopes: string): Promise<void> {
  const { chooseTarget } = await import('../target/choose.ts')
  const chosen = chooseTarget(session, session.options)
  if (chosen.kind === 'hub') {
    throw usageError('a token is reset where the database is, not through a hub', {
      accepted: '--db, or no --url and no ROWLOCK_URL',
    })
  }
  const { openMigrated } = await import('../target/database.ts')
  const { sayWhere } = await import('../target/open.ts')
  sayWhere(session, chosen.place)
  const database = await openMigrated(chosen.db, chosen.place)
  try {
    printSecret(session, await createTokens(createGround(database.driver)).reset(name, { scopes }))
  } finally {
    await database.close()
  }
}

function printSecret(session: Session, token: OverHttp<NewToken> | NewToken): void {
  if (session.options.json === true) {
    printJson(session, token)
    return
  }
  printNote(session, `token ${token.name} (${token.scopes.join(', ')}), shown this once:`)
  printLine(session, token.secret)
}
