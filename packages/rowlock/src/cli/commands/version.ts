import type { Command } from 'commander'
import { printFields, printJson } from '../output/print.ts'
import type { Session } from '../session.ts'
import { version } from '../version.ts'
import { examples } from './help-text.ts'

export function defineVersion(command: Command, session: Session): void {
  command
    .description('Prints the versions of rowlock, Node, SQLite and the drivers.')
    .addHelpText('after', examples('rowlock version', 'rowlock version --json'))
    .action(async () => {
      const versions = await readVersions()
      if (session.options.json === true) printJson(session, versions)
      else printFields(session, Object.entries(versions))
    })
}

async function readVersions(): Promise<Readonly<Record<string, string>>> {
  const { createRequire } = await import('node:module')
  const driver = createRequire(import.meta.url)('pg/package.json') as { version: string }
  return {
    rowlock: version,
    node: process.versions.node,
    sqlite: process.versions.sqlite ?? 'none',
    pg: driver.version,
    platform: `${process.platform} ${process.arch}`,
  }
}
