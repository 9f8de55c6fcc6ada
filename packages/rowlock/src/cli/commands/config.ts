import type { Command } from 'commander'
import { explainConfig, type OptionName } from '../../config/index.ts'
import { printList } from '../output/print.ts'
import type { Session } from '../session.ts'
import { readSettings } from '../settings.ts'
import { examples } from './help-text.ts'
import { hubFlags, withHubOptions, written } from './hub-options.ts'

export function defineConfig(command: Command, session: Session): void {
  withHubOptions(command)
    .description(
      'Prints the settings that serve would run with, and where each comes from. Flags go before the environment, that before the file.',
    )
    .addHelpText(
      'after',
      examples('rowlock config', 'PORT=8080 rowlock config --json', [
        'rowlock config --window 15m --config /etc/rowlock.json',
        'what a change would come to',
      ]),
    )
    .action((flags: Readonly<Record<string, unknown>>) => {
      const explained = explainConfig(readSettings(session, session.options, hubFlags(flags)))
      const columns = [
        { title: 'SETTING', value: ({ name }: Explained) => name },
        {
          title: 'VALUE',
          value: ({ name, value }: Explained) => written(name as OptionName, value),
          style: () => 'bold' as const,
        },
        { title: 'FROM', value: ({ origin }: Explained) => origin },
        { title: 'ABOUT', value: ({ about }: Explained) => about, rest: true },
      ]
      printList(session, explained, columns, 'no settings')
    })
}

type Explained = ReturnType<typeof explainConfig>[number]
