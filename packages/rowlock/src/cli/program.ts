import { Command, CommanderError } from 'commander'
import { catalogue, lastGroup } from './catalogue.ts'
import { exits } from './exit.ts'
import { afterHelp, helpStyle } from './help.ts'
import { createSession, type GlobalOptions, type Session, type World } from './session.ts'
import { version } from './version.ts'

/** The command line: all names at once, each command's own options when it is asked for. */
export function createProgram(world: World): { program: Command; session: Session } {
  const program = new Command('rowlock')
  const session = createSession(world, () => program.opts<GlobalOptions>())
  program
    .description('Concurrent writes that come out right on the SQL database you have: hub and command line.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help, also for each command')
    .usage('COMMAND [OPTIONS]')
    .showSuggestionAfterError()
    .configureHelp(helpStyle(world))
    .configureOutput({
      writeOut: (text) => world.out.write(text),
      writeErr: (text) => world.err.write(text),
      getOutHelpWidth: () => (world.out.isTTY === true ? (world.out.columns ?? 80) : 100),
      getErrHelpWidth: () => (world.err.isTTY === true ? (world.err.columns ?? 80) : 100),
      getOutHasColors: () => true,
      getErrHasColors: () => true,
      outputError: () => {},
    })
    .addHelpCommand(
      new Command('help').argument('[COMMAND]').summary('print help for a command').helpGroup(lastGroup),
    )
    .exitOverride()
    .addHelpText('after', () => `\n${afterHelp(world)}`)
  addGlobalOptions(program)
  for (const { name, group, summary } of catalogue) {
    program.command(name).helpGroup(group).summary(summary).helpCommand(false)
  }
  program.hook('preSubcommand', async (parent, command) => {
    if (parent === program) await define(command, session)
  })
  return { program, session }
}

const defined = new WeakSet<Command>()

/** Gives a command its options. Done once, for the command that runs or for all (completion). */
export async function define(command: Command, session: Session): Promise<void> {
  const listed = catalogue.find(({ name }) => name === command.name())
  if (listed === undefined || defined.has(command)) return
  defined.add(command)
  const add = await listed.load()
  add(command, session)
}

function addGlobalOptions(program: Command): void {
  program
    .optionsGroup('Options of every command:')
    .option(
      '--db <FILE|URL>',
      'work on this database: a SQLite file or postgres://… (DATABASE_URL; ./data/rowlock.db)',
    )
    .option('--url <URL>', 'work through this hub (ROWLOCK_URL)')
    .option('--token <SECRET>', 'token or ingest key for the hub (ROWLOCK_TOKEN, which does not show in ps)')
    .option('--config <FILE>', 'settings file, JSON (ROWLOCK_CONFIG; ./rowlock.json)')
    .option('--json', 'answer in JSON, one document a line')
    .option('--color', 'colours, also where standard output is no terminal')
    .option('--no-color', 'no colours (NO_COLOR)')
    .option('--debug', 'with an error, also print where it comes from')
  program.setOptionValue('color', undefined)
}

/** Whether an error is commander's way to end after --help or --version, or a wrong command line. */
export function exitOfParser(error: unknown): { exitCode: number; message: string | undefined } | undefined {
  if (!(error instanceof CommanderError)) return undefined
  if (error.exitCode === 0 || error.code === 'commander.help') {
    return { exitCode: error.exitCode === 0 ? exits.done : exits.usage, message: undefined }
  }
  return { exitCode: exits.usage, message: error.message.replace(/^error: /, '') }
}
