import type { Command } from 'commander'
import type { Issue, IssueDetails } from '../../events/issues.ts'
import { levels } from '../../events/types.ts'
import type { OverHttp } from '../output/http.ts'
import { type ListFlags, readList } from '../output/list.ts'
import { levelStyle } from '../output/paint.ts'
import { printFields, printJson, printLine, printList, printNote } from '../output/print.ts'
import type { Column } from '../output/table.ts'
import { figure, relative } from '../output/times.ts'
import type { Session } from '../session.ts'
import { choice, withLimit } from './arguments.ts'
import { examples } from './help-text.ts'
import { printSamples } from './samples.ts'

interface Flags extends ListFlags {
  readonly project?: string
  readonly state?: string
  readonly level?: string
  readonly source?: string
  readonly search?: string
}

const states = ['open', 'resolved', 'ignored', 'snoozed'] as const

export function defineIssues(command: Command, session: Session): void {
  command.description(
    'Issues: kinds of trouble, each worked on once per window, all of their events counted.',
  )
  withLimit(command.command('list', { isDefault: true }))
    .description('Lists issues, those seen last first.')
    .option('--project <NAME>', 'only of this project, by name or number')
    .addOption(choice('--state <STATE>', 'only in this state', states))
    .addOption(choice('--level <LEVEL>', 'only of this level', levels))
    .option('--source <NAME>', 'only from this source')
    .option('--search <TEXT>', 'only with this text in the title')
    .addHelpText(
      'after',
      examples(
        'rowlock issues',
        ['rowlock issues list --state open --level fatal --all', 'everything that is open and fatal'],
        ['rowlock issues --json | jq -r .title', 'one JSON document a line'],
      ),
    )
    .action((flags: Flags) => list(session, flags))
  command
    .command('show')
    .argument('<ISSUE>', 'its id')
    .description('Shows one issue with its latest events.')
    .addHelpText('after', examples('rowlock issues show 1-9f86d081884c7d659a2feaa0c55ad015'))
    .action((id: string) => show(session, id))
  for (const [action, about] of actions) {
    command
      .command(action)
      .argument('<ISSUE...>', 'one or more ids')
      .description(about)
      .addHelpText('after', examples(`rowlock issues ${action} 1-9f86d081884c7d659a2feaa0c55ad015`))
      .action((ids: readonly string[]) => act(session, action, ids))
  }
  command
    .command('snooze')
    .argument('<ISSUE...>', 'one or more ids')
    .requiredOption('--for <LENGTH>', 'how long, such as 12h or 7d')
    .description('Counts in silence for a while.')
    .addHelpText('after', examples('rowlock issues snooze --for 1d 1-9f86d081884c7d659a2feaa0c55ad015'))
    .action((ids: readonly string[], flags: { for: string }) => act(session, 'snooze', ids, flags))
}

const actions = [
  ['resolve', 'Marks issues as resolved: the next event reopens them, at once and loudly.'],
  ['ignore', 'Counts in silence until they are reopened.'],
  ['reopen', 'Opens issues again.'],
] as const

type Shown = OverHttp<Issue>

async function list(session: Session, flags: Flags): Promise<void> {
  const { project, state, level, source, search } = flags
  const api = await session.open()
  const query = { project, state, level, source, q: search }
  const issues = await readList<Shown>(session, api, { path: '/api/issues', name: 'issues', query, flags })
  printList(session, issues, columns(session), 'no issues')
}

function columns(session: Session): readonly Column<Shown>[] {
  const now = session.now()
  return [
    { title: 'ISSUE', value: ({ id }) => id },
    { title: 'LEVEL', value: ({ level }) => level, style: ({ level }) => levelStyle(level) },
    { title: 'STATE', value: ({ state }) => state, optional: true },
    { title: 'COUNT', value: ({ count }) => figure(count), right: true },
    { title: 'LAST SEEN', value: ({ lastSeenAt }) => relative(lastSeenAt, now) },
    { title: 'SOURCE', value: ({ source }) => source, most: 20, keepEnd: true, optional: true },
    { title: 'TITLE', value: ({ title }) => title, rest: true, style: () => 'bold' },
  ]
}

async function show(session: Session, id: string): Promise<void> {
  const api = await session.open()
  const issue = await api.get<OverHttp<IssueDetails>>(`/api/issues/${encodeURIComponent(id)}`)
  if (session.options.json === true) return printJson(session, issue)
  const now = session.now()
  const when = (at: string) => `${relative(at, now)}  (${at})`
  printFields(session, [
    ['issue', issue.id],
    ['title', issue.title],
    ['level', issue.level],
    ['source', issue.source],
    ['state', issue.state],
    ['count', figure(issue.count)],
    ['first seen', when(issue.firstSeenAt)],
    ['last seen', when(issue.lastSeenAt)],
    ['last won', issue.claim === null ? 'never' : when(issue.claim.claimedAt)],
    ...(issue.externalId === null ? [] : [['ticket', issue.externalId] as const]),
  ])
  printSamples(session, issue.samples)
}

async function act(
  session: Session,
  action: string,
  ids: readonly string[],
  body: object = {},
): Promise<void> {
  const api = await session.open()
  for (const id of ids) {
    const issue = await api.post<Shown>(`/api/issues/${encodeURIComponent(id)}/${action}`, body)
    if (session.options.json === true) printJson(session, issue)
    else printLine(session, `${issue.id} is ${issue.state}`)
  }
  if (ids.length > 1) printNote(session, `${ids.length} issues`)
}
