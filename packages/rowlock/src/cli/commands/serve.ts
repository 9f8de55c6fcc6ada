import type { Command } from 'commander'
import { exits } from '../exit.ts'
import { CommandError, usageError } from '../failure.ts'
import { errPaint, printJson } from '../output/print.ts'
import type { Session } from '../session.ts'
import { readSettings } from '../settings.ts'
import { examples } from './help-text.ts'
import { hubFlags, withHubOptions } from './hub-options.ts'

export function defineServe(command: Command, session: Session): void {
  withHubOptions(command)
    .description(
      'Starts the hub: HTTP interface, page and deliveries, on one database. Ctrl-C or SIGTERM stops it: requests that have begun are answered, then it ends.',
    )
    .addHelpText(
      'after',
      examples(
        'rowlock serve',
        ['rowlock serve --port 8080 --db /var/lib/rowlock/rowlock.db', 'another port, another file'],
        ['rowlock serve --db postgres://rowlock@db/ops --host 0.0.0.0', 'one of several nodes on PostgreSQL'],
      ),
    )
    .action((flags: Readonly<Record<string, unknown>>) => serve(session, flags))
}

async function serve(session: Session, flags: Readonly<Record<string, unknown>>): Promise<void> {
  if (session.options.url !== undefined) {
    throw usageError('serve starts a hub and does not work through one', {
      accepted: '--db in place of --url',
    })
  }
  const { config, origins } = readSettings(session, session.options, hubFlags(flags))
  const { withoutPassword } = await import('../../config/index.ts')
  const { startHub, untilStopped } = await import('../../node.ts')
  const print = (line: string) => session.err.write(`${line}\n`)
  const running = await startHub(config, { print }).catch((error: unknown) => {
    throw explained(error, config)
  })
  const paint = errPaint(session)
  const db = withoutPassword(config.db)
  if (session.options.json === true) printJson(session, { url: running.url, db, pid: process.pid })
  else {
    print(`${paint('bold', 'Rowlock')} listens on ${paint('cyan', config.publicUrl ?? running.url)}`)
    print(paint('dim', `database ${db} (${origins.db}); Ctrl-C stops it`))
  }
  await untilStopped(running)
  if (session.options.json !== true) print('stopped')
}

/** Why a hub could not start, in words. */
function explained(error: unknown, { port, host }: { port: number; host: string }): unknown {
  const { code } = error as NodeJS.ErrnoException
  const unavailable = (message: string, hint: string) =>
    new CommandError('UNAVAILABLE', message, { exitCode: exits.unavailable, hint, cause: error })
  if (code === 'EADDRINUSE') {
    return unavailable(
      `port ${port} is in use`,
      'another port with --port or PORT; --port 0 takes any free one',
    )
  }
  if (code === 'EACCES')
    return unavailable(`port ${port} may not be opened by this user`, 'a port from 1024 on')
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return unavailable(`${host} is no address of this machine`, '--host 127.0.0.1, or 0.0.0.0 for all')
  }
  return error
}
