import type { Claims } from '@rowlock/core/claims'
import type { Command } from 'commander'
import { exits } from '../exit.ts'
import { CommandError, missingError, usageError } from '../failure.ts'
import type { OverHttp } from '../output/http.ts'
import { type ListFlags, readList } from '../output/list.ts'
import { printFields, printJson, printLine, printList } from '../output/print.ts'
import type { Column } from '../output/table.ts'
import { relative } from '../output/times.ts'
import type { Session } from '../session.ts'
import type { Api } from '../target/api.ts'
import { choice, withLimit } from './arguments.ts'
import { examples } from './help-text.ts'

interface ListOptions extends ListFlags {
  readonly prefix?: string
  readonly state?: string
}

interface ReleaseOptions {
  readonly force?: boolean
  readonly ifToken?: string
}

export function defineClaims(command: Command, session: Session): void {
  command.description('Claims: who may work on a key, until when.')
  withLimit(command.command('list', { isDefault: true }))
    .description('Lists claims by key.')
    .option('--prefix <TEXT>', 'only keys that begin so')
    .addOption(choice('--state <STATE>', 'only in this state', ['free', 'held', 'done']))
    .addHelpText(
      'after',
      examples('rowlock claims', 'rowlock claims list --prefix nightly: --state held --json'),
    )
    .action((flags: ListOptions) => list(session, flags))
  command
    .command('show')
    .argument('<KEY>')
    .description('Shows one claim, with the result it was completed with.')
    .addHelpText('after', examples('rowlock claims show nightly-backup'))
    .action((key: string) => show(session, key))
  command
    .command('release')
    .argument('<KEY>')
    .option('--if-token <N>', 'only if this is still its fencing token')
    .option('--force', 'whoever holds it; a run that holds it is ended')
    .description('Frees a key before its window ends.')
    .addHelpText(
      'after',
      examples(
        [
          'rowlock claims release nightly-backup --force',
          'its node is gone for good: let another one run it now',
        ],
        'rowlock claims release invoice:42 --if-token 1764554400000',
      ),
    )
    .action((key: string, flags: ReleaseOptions) => release(session, key, flags))
}

type Shown = OverHttp<Awaited<ReturnType<Claims['list']>>['claims'][number]>

async function list(session: Session, flags: ListOptions): Promise<void> {
  const { prefix, state } = flags
  const api = await session.open()
  const claims = await readList<Shown>(session, api, {
    path: '/api/claims',
    name: 'claims',
    query: { prefix, state },
    flags,
  })
  printList(session, claims, columns(session), 'no claims')
}

function columns(session: Session): readonly Column<Shown>[] {
  const now = session.now()
  const when = (at: string | null) => (at === null ? null : relative(at, now))
  return [
    { title: 'KEY', value: ({ key }) => key, rest: true },
    {
      title: 'STATE',
      value: ({ state }) => state,
      style: ({ state }) => (state === 'held' ? 'yellow' : undefined),
    },
    { title: 'CLAIMED', value: ({ claimedAt }) => when(claimedAt) },
    { title: 'ENDS', value: ({ expiresAt }) => when(expiresAt) },
    { title: 'TOKEN', value: ({ token }) => token, right: true, optional: true },
    { title: 'HOLDER', value: ({ holder }) => holder, most: 32, optional: true },
  ]
}

async function show(session: Session, key: string): Promise<void> {
  const claim = await find(await session.open(), key)
  if (session.options.json === true) return printJson(session, claim)
  const when = (at: string | null) => (at === null ? '-' : `${relative(at, session.now())}  (${at})`)
  printFields(session, [
    ['key', claim.key],
    ['state', claim.state],
    ['claimed', when(claim.claimedAt)],
    ['ends', when(claim.expiresAt)],
    ['token', String(claim.token ?? '-')],
    ['holder', claim.holder ?? '-'],
    ['result', claim.result === null ? '-' : JSON.stringify(claim.result)],
  ])
}

/** The key itself is the first of all keys that begin with it. */
async function find(api: Api, key: string): Promise<Shown> {
  const { claims } = await api.get<{ claims: readonly Shown[] }>('/api/claims', { prefix: key, limit: 1 })
  const [claim] = claims
  if (claim?.key === key) return claim
  throw missingError(`there is no claim on ${JSON.stringify(key)}`, 'rowlock claims list')
}

async function release(session: Session, key: string, flags: ReleaseOptions): Promise<void> {
  if ((flags.force === true) === (flags.ifToken !== undefined)) {
    throw usageError('the claim may be in use', {
      accepted:
        '--if-token N to free it only if it is still that claim, or --force to free it whoever holds it',
    })
  }
  const api = await session.open()
  const token = flags.ifToken === undefined ? (await find(api, key)).token : Number(flags.ifToken)
  const outcome = await api.post<{ released: boolean; reason?: string }>('/api/claims/release', {
    key,
    token,
  })
  if (session.options.json === true) printJson(session, { key, ...outcome })
  else if (outcome.released) printLine(session, `${key} is free`)
  if (outcome.released) return
  const why =
    outcome.reason === 'done'
      ? 'it is completed, which is final for its window'
      : 'it is not that claim any more'
  throw new CommandError('CONFLICT', `${key} was not freed: ${why}`, {
    exitCode: exits.failed,
    hint: `rowlock claims show ${key}`,
  })
}
