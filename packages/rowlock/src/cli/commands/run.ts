import type { Command } from 'commander'
import type { Session } from '../session.ts'
import { choice } from './arguments.ts'
import { examples, prose } from './help-text.ts'

/** As the command line gives them. */
export interface RunFlags {
  readonly ttl: string
  readonly hold?: boolean
  readonly onFailure: 'release' | 'keep'
  readonly grace: string
  readonly ifHeld: string
  readonly patience: string
  readonly ping?: string
  readonly verbose?: boolean
}

export function defineRun(command: Command, session: Session): void {
  command
    .usage('NAME --ttl LENGTH [OPTIONS] -- COMMAND [ARGUMENTS]')
    .argument('<NAME>', 'what is run: the key of the claim')
    .argument('<COMMAND...>', 'behind --, with its arguments')
    .description(
      prose(
        `Runs a command if nobody else has run it in this window: the same line in the crontab of every node,
and one of them runs it.

The window is --ttl long, from the start. It is kept after success, so that a node whose clock is a
minute late does not run it again; after a failure the next caller may try. Choose it shorter than the
pause between two runs: an hourly job takes 55m, or a run that starts a second early finds the last
window still open. A command that takes longer than its window keeps it until it ends.

The command finds ROWLOCK_CLAIM_KEY and ROWLOCK_CLAIM_TOKEN in its environment. The token rises with
every win: what it writes elsewhere can carry it, and refuse an older one.

The others are silent and end with 0 unless --if-held says otherwise. If nobody could be asked, nothing
is run. When the claim is lost, because it was released by hand or could not be renewed, the command and
all it has started get SIGTERM, and SIGKILL after --grace. Signals to rowlock are handed on to it.`,
      ),
    )
    .requiredOption('--ttl <LENGTH>', 'length of the window, such as 55m')
    .option('--hold', 'a lock in place of a window: renewed while the command runs, freed at its end')
    .addOption(
      choice('--on-failure <WHAT>', 'what happens to the window when the command fails', [
        'release',
        'keep',
      ]).default('release'),
    )
    .option('--grace <LENGTH>', 'from SIGTERM to SIGKILL', '10s')
    .option('--if-held <CODE>', 'exit code when somebody else has it', '0')
    .option('--patience <LENGTH>', 'ask again for so long when nobody answers', '10s')
    .option('--ping <URL>', 'a device’s address: told of the start, and of how it ended')
    .option('--verbose', 'say what happens, also where no terminal reads it')
    .addHelpText(
      'after',
      examples(
        ['rowlock run nightly-backup --ttl 12h -- ./backup.sh', 'in the crontab of every node'],
        [
          "rowlock run report --ttl 55m --on-failure keep -- sh -c 'make report | mail ops'",
          'one try per window',
        ],
        [
          'rowlock run nightly-backup --ttl 12h --ping https://hub.example.com/ping/$UUID -- ./backup.sh',
          'and somebody is told if it fails or does not run',
        ],
        ['rowlock run deploy --ttl 1m --hold --if-held 1 -- ./deploy.sh', 'one at a time; the others fail'],
      ),
    )
    .action(async (name: string, words: readonly string[], flags: RunFlags) => {
      const { runCommand } = await import('../run/run.ts')
      await runCommand(session, name, words, flags)
    })
}
