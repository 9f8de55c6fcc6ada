import type { Command } from 'commander'
import { type Delivery, deliveryStates } from '../../deliveries/deliveries.ts'
import type { OverHttp } from '../output/http.ts'
import { type ListFlags, readList } from '../output/list.ts'
import { printFields, printJson, printLine, printList, printNote } from '../output/print.ts'
import type { Column } from '../output/table.ts'
import { relative } from '../output/times.ts'
import type { Session } from '../session.ts'
import { choice, withLimit } from './arguments.ts'
import { examples } from './help-text.ts'

interface ListOptions extends ListFlags {
  readonly project?: string
  readonly state?: string
  readonly destination?: string
}

export function defineDeliveries(command: Command, session: Session): void {
  command.description('Deliveries: each notice on its way to each destination, and what became of it.')
  withLimit(command.command('list', { isDefault: true }))
    .description('Lists deliveries, the newest first.')
    .option('--project <NAME>', 'only of this project, by name or number')
    .addOption(choice('--state <STATE>', 'only in this state', deliveryStates))
    .option('--destination <ID>', 'only to this destination')
    .addHelpText('after', examples('rowlock deliveries', 'rowlock deliveries list --state dead --json'))
    .action((flags: ListOptions) => list(session, flags))
  command
    .command('show')
    .argument('<ID>')
    .description('Shows one delivery with what it carries.')
    .addHelpText('after', examples('rowlock deliveries show 17'))
    .action((id: string) => show(session, id))
  command
    .command('redrive')
    .argument('[ID...]', 'deliveries that are dead')
    .option('--all-dead', 'every dead delivery')
    .description(
      'Starts dead deliveries anew. Receivers see the same id again and can leave out what they have had.',
    )
    .addHelpText(
      'after',
      examples('rowlock deliveries redrive 17 18', 'rowlock deliveries redrive --all-dead'),
    )
    .action((ids: readonly string[], flags: { allDead?: boolean }) =>
      redrive(session, ids, flags.allDead === true),
    )
}

type Shown = OverHttp<Delivery>

async function list(session: Session, flags: ListOptions): Promise<void> {
  const { project, state, destination } = flags
  const api = await session.open()
  const query = { project, state, destination }
  const rows = await readList<Shown>(session, api, {
    path: '/api/deliveries',
    name: 'deliveries',
    query,
    flags,
  })
  printList(session, rows, columns(session), 'no deliveries')
}

const styles = { dead: 'red', sent: 'green', leased: 'yellow', pending: 'yellow', cancelled: 'dim' } as const

function columns(session: Session): readonly Column<Shown>[] {
  const now = session.now()
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    { title: 'STATE', value: ({ state }) => state, style: ({ state }) => styles[state] },
    { title: 'TRIES', value: ({ attempts }) => attempts, right: true },
    { title: 'MADE', value: ({ createdAt }) => relative(createdAt, now), optional: true },
    { title: 'DUE', value: ({ state, dueAt }) => (state === 'pending' ? relative(dueAt, now) : null) },
    { title: 'TO', value: ({ url }) => url, most: 40 },
    { title: 'LAST ERROR', value: ({ lastError }) => lastError, rest: true },
  ]
}

async function show(session: Session, id: string): Promise<void> {
  const api = await session.open()
  const delivery = await api.get<Shown>(`/api/deliveries/${encodeURIComponent(id)}`)
  if (session.options.json === true) return printJson(session, delivery)
  const when = (at: string) => `${relative(at, session.now())}  (${at})`
  printFields(session, [
    ['delivery', String(delivery.id)],
    ['state', delivery.state],
    ['destination', `${delivery.destination}  ${delivery.url}`],
    ['tries', String(delivery.attempts)],
    ['last error', delivery.lastError ?? '-'],
    ['made', when(delivery.createdAt)],
    [delivery.finishedAt === null ? 'due' : 'ended', when(delivery.finishedAt ?? delivery.dueAt)],
    ['same for all tries', delivery.dedupKey],
    ['carries', JSON.stringify(delivery.payload)],
  ])
}

async function redrive(session: Session, ids: readonly string[], allDead: boolean): Promise<void> {
  const api = await session.open()
  const query = { state: 'dead' }
  const dead = allDead
    ? await readList<Shown>(session, api, {
        path: '/api/deliveries',
        name: 'deliveries',
        query,
        flags: { all: true },
      })
    : []
  const wanted = [...ids, ...dead.map(({ id }) => String(id))]
  for (const id of wanted) {
    const delivery = await api.post<Shown>(`/api/deliveries/${encodeURIComponent(id)}/redrive`)
    if (session.options.json === true) printJson(session, delivery)
    else printLine(session, `delivery ${delivery.id} is ${delivery.state} again`)
  }
  if (wanted.length === 0) printNote(session, 'nothing to redrive')
}
