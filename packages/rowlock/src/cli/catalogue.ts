import type { Command } from 'commander'
import type { Session } from './session.ts'

/** Adds a command's arguments, options, examples and action to its name. */
export type Define = (command: Command, session: Session) => void

export interface Listed {
  readonly name: string
  readonly group: string
  readonly summary: string
  /** Its code is read when it is needed. */
  load(): Promise<Define>
}

const hub = 'Run a hub:'
const send = 'Send and claim:'
const look = 'Look and act:'
const keep = 'Set up and keep well:'
export const lastGroup = keep

/** Every command, in the order of the help. */
export const catalogue: readonly Listed[] = [
  {
    name: 'serve',
    group: hub,
    summary: 'start the hub: HTTP, page and deliveries',
    load: async () => (await import('./commands/serve.ts')).defineServe,
  },
  {
    name: 'ingest',
    group: send,
    summary: 'send the events of log files or a pipe, each counted once',
    load: async () => (await import('./commands/ingest.ts')).defineIngest,
  },
  {
    name: 'run',
    group: send,
    summary: 'run a command here only if nobody else runs it in this window',
    load: async () => (await import('./commands/run.ts')).defineRun,
  },
  {
    name: 'issues',
    group: look,
    summary: 'list, show, resolve, ignore, snooze or reopen issues',
    load: async () => (await import('./commands/issues.ts')).defineIssues,
  },
  {
    name: 'claims',
    group: look,
    summary: 'list, show or release claims',
    load: async () => (await import('./commands/claims.ts')).defineClaims,
  },
  {
    name: 'deliveries',
    group: look,
    summary: 'list, show or redrive deliveries',
    load: async () => (await import('./commands/deliveries.ts')).defineDeliveries,
  },
  {
    name: 'devices',
    group: look,
    summary: 'list, show, add, pause, resume or remove devices and jobs',
    load: async () => (await import('./commands/devices.ts')).defineDevices,
  },
  {
    name: 'downtimes',
    group: look,
    summary: 'list outages of devices and jobs, also as CSV',
    load: async () => (await import('./commands/downtimes.ts')).defineDowntimes,
  },
  {
    name: 'check',
    group: look,
    summary: 'look once for devices that fell silent, as from cron',
    load: async () => (await import('./commands/check.ts')).defineCheck,
  },
  {
    name: 'import',
    group: keep,
    summary: 'make devices of a CSV file or of a Healthchecks project',
    load: async () => (await import('./commands/import.ts')).defineImport,
  },
  {
    name: 'destination',
    group: keep,
    summary: 'add, list, change or remove where notices go',
    load: async () => (await import('./commands/destination.ts')).defineDestination,
  },
  {
    name: 'project',
    group: keep,
    summary: 'add, list or change projects and their ingest keys',
    load: async () => (await import('./commands/project.ts')).defineProject,
  },
  {
    name: 'token',
    group: keep,
    summary: 'add, list, revoke or reset tokens',
    load: async () => (await import('./commands/token.ts')).defineToken,
  },
  {
    name: 'migrate',
    group: keep,
    summary: 'make the tables or bring them up to date',
    load: async () => (await import('./commands/migrate.ts')).defineMigrate,
  },
  {
    name: 'doctor',
    group: keep,
    summary: 'look for what is wrong with a database or a hub',
    load: async () => (await import('./commands/doctor.ts')).defineDoctor,
  },
  {
    name: 'config',
    group: keep,
    summary: 'print the settings in force and where each comes from',
    load: async () => (await import('./commands/config.ts')).defineConfig,
  },
  {
    name: 'completion',
    group: keep,
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).defineCompletion,
  },
  {
    name: 'version',
    group: keep,
    summary: 'print the versions of rowlock, Node, SQLite and the drivers',
    load: async () => (await import('./commands/version.ts')).defineVersion,
  },
]
