import type { Command } from 'commander'
import type { Destination } from '../../deliveries/destination.ts'
import type { KindName } from '../../deliveries/kinds/kind.ts'
import { exits } from '../exit.ts'
import type { OverHttp } from '../output/http.ts'
import { printFields, printJson, printLine, printList, printNote } from '../output/print.ts'
import { relative } from '../output/times.ts'
import type { Session } from '../session.ts'
import { type FieldOptions, fieldsOf, kindOf, kindOption, readTo, withFields } from './destination-fields.ts'
import { examples } from './help-text.ts'
import { findProject } from './project.ts'

interface AddOptions extends FieldOptions {
  readonly project: string
  readonly kind?: KindName
}

const TO =
  'an http or https address, e-mail addresses, or PagerDuty’s integration key; - reads it from standard input'

export function defineDestination(command: Command, session: Session): void {
  command.description(
    'Destinations: where notices of issues and outages go. Webhooks, Slack, Discord, e-mail, PagerDuty.',
  )
  command
    .command('list', { isDefault: true })
    .option('--project <NAME>', 'only of this project, by name or number')
    .description('Lists destinations.')
    .addHelpText('after', examples('rowlock destination list'))
    .action((flags: { project?: string }) => list(session, flags.project))
  withFields(
    command
      .command('add')
      .argument('<TO>', TO)
      .addOption(kindOption())
      .option('--project <NAME>', 'whose notices it gets, by name or number', 'default'),
  )
    .description(
      'Adds a destination. For a webhook it prints the secret that its receiver checks signatures with.',
    )
    .addHelpText(
      'after',
      examples(
        'rowlock destination add https://example.com/hooks/rowlock --project shop',
        [
          'rowlock destination add - --kind slack --only outages --tags floor-3 < address',
          'a chat for one floor',
        ],
        'rowlock destination add ops@example.com --smtp smtp.example.com --from rowlock@example.com --user rowlock',
      ),
    )
    .action((to: string, options: AddOptions) => add(session, to, options))
  withFields(command.command('set').argument('<ID>').option('--to <TO>', TO))
    .description('Changes a destination; what is not given stays as it is.')
    .addHelpText('after', examples('rowlock destination set mail-5f2a9c01d3e4 --tags floor-3,floor-4'))
    .action((id: string, options: FieldOptions & { to?: string }) => set(session, id, options))
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
    { title: 'KIND', value: ({ kind }: Shown) => kind },
    { title: 'PROJECT', value: ({ project: number }: Shown) => number, right: true },
    {
      title: 'STATE',
      value: ({ enabled, disabledReason }: Shown) => (enabled ? 'on' : (disabledReason ?? 'off')),
    },
    { title: 'GETS', value: getsOf },
    { title: 'MADE', value: ({ createdAt }: Shown) => relative(createdAt, session.now()), optional: true },
    { title: 'TO', value: ({ name, url }: Shown) => (name === null ? url : `${name}: ${url}`), rest: true },
  ]
  printList(session, destinations, columns, 'no destinations: notices of issues and outages go nowhere')
}

function getsOf({ only, tags }: Shown): string {
  return [only ?? 'all', ...(tags.length === 0 ? [] : [`(${tags.join(', ')})`])].join(' ')
}

async function add(session: Session, given: string, options: AddOptions): Promise<void> {
  const to = await readTo(session, given)
  const kind = options.kind ?? kindOf(to)
  const api = await session.open()
  const { id: project } = await findProject(api, options.project)
  const body = { project, kind, ...fieldsOf(session, kind, { to, options }) }
  const added = await api.post<Shown & { secret?: string }>('/api/destinations', body)
  if (session.options.json === true) return printJson(session, added)
  printFields(session, [
    ['destination', added.id],
    ['kind', added.kind],
    ['to', added.url],
    ...(added.secret === undefined ? [] : [['secret', added.secret] as const]),
  ])
  if (added.secret !== undefined) printNote(session, 'the secret is shown this once')
}

async function set(session: Session, id: string, options: FieldOptions & { to?: string }): Promise<void> {
  const to = options.to === undefined ? undefined : await readTo(session, options.to)
  const api = await session.open()
  const { destinations } = await api.get<{ destinations: readonly Shown[] }>('/api/destinations')
  const kind = destinations.find((known) => known.id === id)?.kind ?? 'webhook'
  const path = `/api/destinations/${encodeURIComponent(id)}`
  const changed = await api.patch<Shown>(path, fieldsOf(session, kind, { to, options }))
  if (session.options.json === true) printJson(session, changed)
  else printLine(session, `${changed.id} is changed: ${changed.url}, gets ${getsOf(changed)}`)
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
  else if (status === null) printLine(session, `no answer: ${error}`)
  else printLine(session, `answered with status ${status}${error === undefined ? '' : `: ${error}`}`)
  if (!ok) session.exitCode = exits.failed
}
