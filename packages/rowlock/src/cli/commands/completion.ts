import type { Command } from 'commander'
import { shells } from '../completion/shells.ts'
import { readTree } from '../completion/tree.ts'
import { usageError } from '../failure.ts'
import { printLine } from '../output/print.ts'
import type { Session } from '../session.ts'
import { examples } from './help-text.ts'

export function defineCompletion(command: Command, session: Session): void {
  command
    .argument('<SHELL>', `one of ${Object.keys(shells).join(', ')}`)
    .description('Prints a script that completes commands, options and their values.')
    .addHelpText(
      'after',
      examples(
        ['source <(rowlock completion bash)', 'bash, in ~/.bashrc'],
        ['rowlock completion zsh > ~/.zfunc/_rowlock', 'zsh, once, with ~/.zfunc on fpath'],
        ['rowlock completion fish > ~/.config/fish/completions/rowlock.fish', 'fish, once'],
      ),
    )
    .action(async (shell: string) => {
      const write = Object.hasOwn(shells, shell) ? shells[shell as keyof typeof shells] : undefined
      if (write === undefined) {
        throw usageError(`there is no completion for ${JSON.stringify(shell)}`, {
          accepted: Object.keys(shells).join(', '),
        })
      }
      const { define } = await import('../program.ts')
      const program = command.parent as Command
      for (const each of program.commands) await define(each, session)
      printLine(session, write(readTree(program)).trimEnd())
    })
  // Its argument has choices of its own, which completion offers like an option's.
  command.registeredArguments[0]!.argChoices = Object.keys(shells)
}
