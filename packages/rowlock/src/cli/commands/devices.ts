import type { Command } from 'commander'
import { deviceStates } from '../../fleet/device/devices.ts'
import { type ListFlags, readList } from '../output/list.ts'
import { printJson, printLine, printList, printNote } from '../output/print.ts'
import type { Column } from '../output/table.ts'
import { relative, roughly } from '../output/times.ts'
import type { Session } from '../session.ts'
import { choice, withLimit } from './arguments.ts'
import { bodyOf, type DeviceFlags, withDeviceFields } from './device-fields.ts'
import { printDevice, type Shown, type ShownWhole } from './device-print.ts'
import { examples } from './help-text.ts'

interface Flags extends ListFlags {
  readonly project?: string
  readonly state?: string
  readonly tag?: string
  readonly search?: string
}

const PROJECT = ['--project <NAME>', 'whose it is, by name or number, where there are several'] as const

export function defineDevices(command: Command, session: Session): void {
  command.description('Devices and jobs: each is expected to report in; one that falls silent is down.')
  withLimit(command.command('list', { isDefault: true }))
    .description('Lists devices by their ids.')
    .option('--project <NAME>', 'only of this project, by name or number')
    .addOption(choice('--state <STATE>', 'only in this state', deviceStates))
    .option('--tag <TAG>', 'only with this tag')
    .option('--search <TEXT>', 'only with this text in the id or name')
    .addHelpText(
      'after',
      examples('rowlock devices', ['rowlock devices list --state down --all', 'everything that is down']),
    )
    .action((flags: Flags) => list(session, flags))
  command
    .command('show')
    .argument('<ID>')
    .option(...PROJECT)
    .description('Shows one device with its address, its latest pings and outages.')
    .addHelpText('after', examples('rowlock devices show tv-17'))
    .action((id: string, flags: { project?: string }) => show(session, id, flags.project))
  for (const [name, about] of [
    ['add', 'Makes a device, and prints the address that it pings.'],
    ['set', 'Changes a device, or makes it; what is not given stays as it is.'],
  ] as const) {
    withDeviceFields(
      command
        .command(name)
        .argument('<ID>')
        .option(...PROJECT),
    )
      .description(about)
      .addHelpText(
        'after',
        examples(`rowlock devices ${name} tv-17 --name "Lobby" --period 5m --tags floor-1,lobby`, [
          `rowlock devices ${name} backup --schedule "30 2 * * *" --timezone Europe/Berlin --grace 1h`,
          'a job',
        ]),
      )
      .action((id: string, flags: DeviceFlags) => save(session, name, id, flags))
  }
  for (const [action, about] of actions) {
    command
      .command(action)
      .argument('<ID...>', 'one or more devices')
      .option(...PROJECT)
      .description(about)
      .addHelpText('after', examples(`rowlock devices ${action} tv-17`))
      .action((ids: readonly string[], flags: { project?: string }) =>
        act(session, action, ids, flags.project),
      )
  }
}

const actions = [
  ['pause', 'Expects nothing of devices any more; an outage of theirs ends.'],
  ['resume', 'Expects them again, from now on.'],
  ['remove', 'Removes devices; their outages stay in the history.'],
] as const

const pathOf = (id: string, action = '') => `/api/devices/${encodeURIComponent(id)}${action}`

async function list(session: Session, flags: Flags): Promise<void> {
  const { project, state, tag, search } = flags
  const api = await session.open()
  const query = { project, state, tag, q: search }
  const devices = await readList<Shown>(session, api, { path: '/api/devices', name: 'devices', query, flags })
  printList(session, devices, columns(session), 'no devices')
}

const styles = { up: 'green', down: 'red', new: 'dim', paused: 'dim' } as const

function columns(session: Session): readonly Column<Shown>[] {
  const now = session.now()
  const seen = ({ lastSeenAt }: Shown) => (lastSeenAt === null ? 'never' : relative(lastSeenAt, now))
  return [
    { title: 'DEVICE', value: ({ id }) => id, style: () => 'bold', most: 40 },
    {
      title: 'STATE',
      value: ({ state, late }) => (late ? 'late' : state),
      style: ({ state, late }) => (late ? 'yellow' : styles[state]),
    },
    { title: 'SEEN', value: seen },
    {
      title: 'EXPECTED',
      value: ({ schedule, periodMs }) => schedule ?? `every ${roughly(periodMs)}`,
      optional: true,
    },
    { title: 'TAGS', value: ({ tags }) => tags.join(' '), most: 30, optional: true },
    { title: 'NAME', value: ({ name }) => name, rest: true },
  ]
}

async function show(session: Session, id: string, project: string | undefined): Promise<void> {
  const api = await session.open()
  const device = await api.get<ShownWhole>(pathOf(id), { project })
  if (session.options.json === true) return printJson(session, device)
  printDevice(session, device)
}

async function save(session: Session, how: 'add' | 'set', id: string, flags: DeviceFlags): Promise<void> {
  const api = await session.open()
  const query = { project: flags.project }
  const body = bodyOf(flags)
  const device =
    how === 'add'
      ? await api.ask<Shown>('POST', '/api/devices', { query, body: { ...body, id } })
      : await api.ask<Shown>('PUT', pathOf(id), { query, body })
  if (session.options.json === true) return printJson(session, device)
  printLine(session, device.pingUrl ?? device.id)
  if (device.pingUrl !== undefined) printNote(session, `${device.id} is up as soon as it opens this address`)
}

async function act(
  session: Session,
  action: (typeof actions)[number][0],
  ids: readonly string[],
  project: string | undefined,
): Promise<void> {
  const api = await session.open()
  for (const id of ids) {
    const device =
      action === 'remove'
        ? await api.ask<Shown>('DELETE', pathOf(id), { query: { project } })
        : await api.ask<Shown>('POST', pathOf(id, `/${action}`), { query: { project }, body: {} })
    if (session.options.json === true) printJson(session, device)
    else
      printLine(session, action === 'remove' ? `${device.id} is removed` : `${device.id} is ${device.state}`)
  }
}
