import type { Command } from 'commander'
import type { Project } from '../../identity/projects.ts'
import { missingError } from '../failure.ts'
import type { OverHttp } from '../output/http.ts'
import { printFields, printJson, printList, printNote } from '../output/print.ts'
import { relative, roughly } from '../output/times.ts'
import type { Session } from '../session.ts'
import type { Api } from '../target/api.ts'
import { examples } from './help-text.ts'

export function defineProject(command: Command, session: Session): void {
  command.description('Projects: where events belong, each with an ingest key and a cool-down of its own.')
  command
    .command('list', { isDefault: true })
    .description('Lists projects with their ingest keys.')
    .addHelpText('after', examples('rowlock project list', 'rowlock project list --json'))
    .action(() => list(session))
  command
    .command('add')
    .argument('<NAME>')
    .option('--window <LENGTH>', 'one win per issue in this time, such as 1h (the hub’s --window)')
    .description('Adds a project and prints its ingest key.')
    .addHelpText('after', examples('rowlock project add shop', 'rowlock project add shop --window 15m'))
    .action(async (name: string, { window }: { window?: string }) => {
      const api = await session.open()
      print(
        session,
        await api.post<Shown>('/api/projects', { name, ...(window === undefined ? {} : { window }) }),
      )
    })
  command
    .command('window')
    .argument('<NAME>', 'name or number')
    .argument('<LENGTH>', 'such as 15m')
    .description('Changes a project’s cool-down; windows that run keep their end.')
    .addHelpText('after', examples('rowlock project window shop 30m'))
    .action(async (name: string, window: string) => {
      const api = await session.open()
      const { id } = await findProject(api, name)
      print(session, await api.patch<Shown>(`/api/projects/${id}`, { window }))
    })
  command
    .command('rotate')
    .argument('<NAME>', 'name or number')
    .description('Gives a project a new ingest key; the old one is refused from then on.')
    .addHelpText('after', examples('rowlock project rotate shop'))
    .action(async (name: string) => {
      const api = await session.open()
      const { id } = await findProject(api, name)
      print(session, await api.post<Shown>(`/api/projects/${id}/rotate`))
      printNote(session, 'the old key is refused from now on, on other nodes within seconds')
    })
}

type Shown = OverHttp<Project>

async function allProjects(api: Api): Promise<readonly Shown[]> {
  return (await api.get<{ projects: readonly Shown[] }>('/api/projects')).projects
}

/** By number or name. */
export async function findProject(api: Api, wanted: string): Promise<Shown> {
  const projects = await allProjects(api)
  const found = projects.find(({ id, name }) => name === wanted || String(id) === wanted)
  if (found !== undefined) return found
  throw missingError(
    `there is no project ${JSON.stringify(wanted)}`,
    `one of ${projects.map(({ name }) => name).join(', ')}`,
  )
}

async function list(session: Session): Promise<void> {
  const projects = await allProjects(await session.open())
  const columns = [
    { title: 'ID', value: ({ id }: Shown) => id, right: true },
    { title: 'NAME', value: ({ name }: Shown) => name },
    { title: 'WINDOW', value: ({ windowMs }: Shown) => roughly(windowMs), right: true },
    { title: 'INGEST KEY', value: ({ ingestKey }: Shown) => ingestKey ?? 'hidden' },
    { title: 'MADE', value: ({ createdAt }: Shown) => relative(createdAt, session.now()) },
  ]
  printList(session, projects, columns, 'no projects')
}

function print(session: Session, project: Shown): void {
  if (session.options.json === true) printJson(session, project)
  else {
    printFields(session, [
      ['project', `${project.name} (${project.id})`],
      ['ingest key', project.ingestKey],
      ['window', roughly(project.windowMs)],
    ])
  }
}
