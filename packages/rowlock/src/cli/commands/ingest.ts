import type { Command } from 'commander'
import { type Level, levels } from '../../events/types.ts'
import { type Format, formats } from '../ingest/joiner.ts'
import type { Session } from '../session.ts'
import { choice } from './arguments.ts'
import { examples, prose } from './help-text.ts'

/** As the command line gives them. */
export interface IngestFlags {
  readonly project?: string
  readonly format: Format
  readonly source?: string
  readonly level?: Level
  readonly minLevel?: Level
  readonly utc?: boolean
  readonly again?: boolean
  readonly dryRun?: boolean
  readonly giveUpAfter: string
}

export function defineIngest(command: Command, session: Session): void {
  command
    .argument('<FILE...>', 'log files; - is standard input')
    .description(
      prose(
        `Sends the events of log files or of a pipe. A line is one event: its time, level and source are read out
of the ways that syslog, log4j, logback, Python, PostgreSQL, nginx, Apache and others write them, or from
JSON and logfmt; indented lines and stack traces belong to the event before them.

Each event is counted once. If the hub is away for a while it waits and goes on, and a file that is sent a
second time, or has grown, adds only what is new: for as long as the hub keeps the ids of what it has seen
(one day or a million events). A file is known by its machine, inode and first line, not by its name.

It ends with exact figures; Ctrl-C prints those so far. The exit code is 1 if events were rejected.`,
      ),
    )
    .option(
      '--project <NAME>',
      'the project they belong to, by name or number, where the token does not say it',
    )
    .addOption(choice('--format <FORMAT>', 'how lines are read', formats).default('auto'))
    .option('--source <NAME>', 'in place of the source that a line names')
    .addOption(
      choice('--level <LEVEL>', 'of lines that carry none, in place of a guess from their words', levels),
    )
    .addOption(choice('--min-level <LEVEL>', 'leave out what is below', levels))
    .option('--utc', 'times without a zone are UTC, not local')
    .option('--again', 'count what has been counted before once more')
    .option('--dry-run', 'print the events as JSON and send nothing')
    .option('--give-up-after <LENGTH>', 'end when nobody has answered for so long', '10m')
    .addHelpText(
      'after',
      examples(
        'rowlock ingest /var/log/app.log',
        ['journalctl -f -o short-iso | rowlock ingest --min-level warning -', 'as it happens'],
        ['zcat app.log.*.gz | rowlock ingest --source app -', 'what was rotated away'],
        ['rowlock ingest --dry-run app.log | head', 'how its lines are understood'],
        ['rowlock ingest --url https://hub.example.com --token $KEY app.log', 'to a hub elsewhere'],
      ),
    )
    .action(async (files: readonly string[], flags: IngestFlags) => {
      const { ingest } = await import('../ingest/ingest.ts')
      await ingest(session, files, flags)
    })
}
