import type { Command } from 'commander'
import type { Outage } from '../../fleet/history/history.ts'
import type { OverHttp } from '../output/http.ts'
import { type ListFlags, readList } from '../output/list.ts'
import { printList } from '../output/print.ts'
import type { Column } from '../output/table.ts'
import { relative, roughly } from '../output/times.ts'
import type { Session } from '../session.ts'
import { refusalOf } from '../target/refusal.ts'
import { withLimit } from './arguments.ts'
import { examples } from './help-text.ts'

interface Flags extends ListFlags {
  readonly project?: string
  readonly device?: string
  readonly open?: boolean
  readonly from?: string
  readonly to?: string
  readonly csv?: boolean
}

export function defineDowntimes(command: Command, session: Session): void {
  withLimit(command)
    .description('Outages of devices and jobs, those that were found last first.')
    .option('--project <NAME>', 'only of this project, by name or number')
    .option('--device <ID>', 'only of this device')
    .option('--open', 'only those that last')
    .option(
      '--from <TIME>',
      'only those that touch the time since, such as 2026-12-01 or 2026-12-01T08:00:00Z',
    )
    .option('--to <TIME>', 'and up to this one')
    .option('--csv', 'all of them as CSV')
    .addHelpText(
      'after',
      examples(
        'rowlock downtimes --open',
        ['rowlock downtimes --from 2026-11-01 --csv > november.csv', 'for a spreadsheet'],
        ['rowlock downtimes --device tv-17 --all --json', 'one JSON document a line'],
      ),
    )
    .action((flags: Flags) => (flags.csv === true ? csv(session, flags) : list(session, flags)))
}

type Shown = OverHttp<Outage>

const queryOf = ({ project, device, open, from, to }: Flags) => ({
  project,
  device,
  from,
  to,
  open: open === true ? '1' : undefined,
})

async function list(session: Session, flags: Flags): Promise<void> {
  const api = await session.open()
  const rows = await readList<Shown>(session, api, {
    path: '/api/downtimes',
    name: 'downtimes',
    query: queryOf(flags),
    flags,
  })
  printList(session, rows, columns(session), 'no outages')
}

async function csv(session: Session, flags: Flags): Promise<void> {
  const api = await session.open()
  const response = await api.send('GET', '/api/downtimes', { query: { ...queryOf(flags), format: 'csv' } })
  if (!response.ok) throw await refusalOf(response, api.place)
  // The mark in front is for spreadsheets that open a download; a pipe wants none.
  session.out.write((await response.text()).replace(/^\uFEFF/, ''))
}

function columns(session: Session): readonly Column<Shown>[] {
  const now = session.now()
  return [
    { title: 'DEVICE', value: ({ device }) => device, style: () => 'bold', most: 30 },
    { title: 'STATE', value: (one) => (one.endedAt === null ? 'down' : 'ended'), style: styleOf },
    { title: 'SINCE', value: ({ startedAt }) => relative(startedAt, now) },
    { title: 'LASTED', value: (one) => roughly(lengthOf(one, now)), right: true },
    { title: 'CAUSE', value: ({ cause }) => cause },
    { title: 'NOT TOLD', value: ({ suppressedBy }) => suppressedBy, optional: true },
    { title: 'REASON', value: ({ reason }) => reason, rest: true },
  ]
}

const styleOf = ({ endedAt }: Shown) => (endedAt === null ? ('red' as const) : ('dim' as const))

function lengthOf({ startedAt, durationMs }: Shown, now: number): number {
  return durationMs ?? Math.max(0, now - Date.parse(startedAt))
}
