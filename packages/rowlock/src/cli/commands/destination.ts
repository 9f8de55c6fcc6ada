import type { Command } from 'commander'
import type { Destination } from '../../deliveries/destination.ts'
import { exits } from '../exit.ts'
import type { OverHttp } from '../output/http.ts'
import { printFields, printJson, printLine, printList, printNote } from '../output/print.ts'
import { relative } from '../output/times.ts'
import type { Session } from '../session.ts'
import { examples } from './help-text.ts'
import { findProject } from './project.ts'

interface AddOptions {
  readonly project: string
  readonly secret?: string
}

export function defineDestination(command: Command, session: Session): void {
  command.description(
    'Destinations: where the notice of each won window goes. Webhooks, signed (Standard Webhooks).',
  )
  command
    .command('list', { isDefault: true })
    .option('--project <NAME>', 'only of this project, by name or number')
    .description('Lists destinations.')
    .addHelpText('after', examples('rowlock destination list'))
    .action((flags: { project?: string }) => list(session, flags.project))
  command
    .command('add')
    .argument('<URL>', 'an http or https address')
    .option('--project <NAME>', 'whose notices it gets, by name or number', 'default')
    .option('--secret <SECRET>', 'sign with this one (whsec_…) in place of a new one')
    .description('Adds a destination and prints the secret that its receiver checks signatures with.')
    .addHelpText(
      'after',
      examples('rowlock destination add https://example.com/hooks/rowlock --project shop'),
    )
    .action((url: string, options: AddOptions) => add(session, url, options))
  for (const [name, enabled, about] of switches) {
    command
      .command(name)
      .argument('<ID>')
      .description(about)
      .addHelpText('after', examples(`rowlock destination ${name} wh-5f2a9c01d3e4`))
      .action((id: string) => change(session, id, enabled))
  }
  command
    .command('remove')
    .argument('<ID>')
    .description('Removes a destination; what is on its way there ends as dead.')
    .addHelpText('after', examples('rowlock destination remove wh-5f2a9c01d3e4'))
    .action(async (id: string) => {
      const api = await session.open()
      const removed = await api.remove<Shown>(`/api/destinations/${encodeURIComponent(id)}`)
      if (session.options.json === true) printJson(session, removed)
      else printLine(session, `${removed.id} is removed`)
    })
  command
    .command('test')
    .argument('<ID>')
    .description('Sends a test notice now and says what came back.')
    .addHelpText('after', examples('rowlock destination test wh-5f2a9c01d3e4'))
    .action((id: string) => test(session, id))
}

const switches = [
  ['enable', true, 'Delivers there again.'],
  ['disable', false, 'Delivers nothing there until it is enabled.'],
] as const

type Shown = OverHttp<Destination>

async function list(session: Session, project: string | undefined): Promise<void> {
  const api = await session.open()
  const { destinations } = await api.get<{ destinations: readonly Shown[] }>('/api/destinations', { project })
  const columns = [
    { title: 'ID', value: ({ id }: Shown) => id },
    { title: 'PROJECT', value: ({ project: number }: Shown) => number, right: true },
    {
      title: 'STATE',
      value: ({ enabled, disabledReason }: Shown) => (enabled ? 'on' : (disabledReason ?? 'off')),
    },
    { title: 'MADE', value: ({ createdAt }: Shown) => relative(createdAt, session.now()) },
    { title: 'URL', value: ({ url }: Shown) => url, rest: true },
  ]
  printList(session, destinations, columns, 'no destinations: notices of won windows go nowhere')
}

async function add(session: Session, url: string, options: AddOptions): Promise<void> {
  const api = await session.open()
  const { id: project } = await findProject(api, options.project)
  const body = { project, url, ...(options.secret === undefined ? {} : { secret: options.secret }) }
  const added = await api.post<Shown & { secret: string }>('/api/destinations', body)
  if (session.options.json === true) return printJson(session, added)
  printFields(session, [
    ['destination', added.id],
    ['url', added.url],
    ['secret', added.secret],
  ])
  printNote(session, 'the secret is shown this once')
}

async function change(session: Session, id: string, enabled: boolean): Promise<void> {
  const api = await session.open()
  const changed = await api.patch<Shown>(`/api/destinations/${encodeURIComponent(id)}`, { enabled })
  if (session.options.json === true) return printJson(session, changed)
  printLine(session, `${changed.id} is ${changed.enabled ? 'on' : 'off'}`)
}

async function test(session: Session, id: string): Promise<void> {
  const api = await session.open()
  const path = `/api/destinations/${encodeURIComponent(id)}/test`
  const { ok, status, error } = await api.post<{ ok: boolean; status: number | null; error?: string }>(path)
  if (session.options.json === true) printJson(session, { ok, status, error })
  else printLine(session, status === null ? `no answer: ${error}` : `answered with status ${status}`)
  if (!ok) session.exitCode = exits.failed
}
