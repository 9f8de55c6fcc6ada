import { InvalidInputError } from '@rowlock/core'
import type { Command } from 'commander'
import { usageError } from '../failure.ts'
import { printJson, printLine, printNote } from '../output/print.ts'
import type { Session } from '../session.ts'
import { examples } from './help-text.ts'

interface Flags {
  readonly dryRun?: boolean
  readonly sqlFiles?: string
  readonly firstNumber: string
}

export function defineMigrate(command: Command, session: Session): void {
  command
    .description(
      'Makes the tables, or brings them up to date. Safe to repeat, and from several places at once.',
    )
    .option('--dry-run', 'only print the SQL that would be run')
    .option(
      '--sql-files <FOLDER>',
      'write the migrations for Cloudflare D1 as files, for wrangler d1 migrations',
    )
    .option('--first-number <N>', 'number of the first file, behind those that are in the folder', '1')
    .addHelpText(
      'after',
      examples(
        'rowlock migrate --db postgres://rowlock@db/ops',
        ['rowlock migrate --dry-run | less', 'what would be run'],
        ['rowlock migrate --sql-files migrations && npx wrangler d1 migrations apply DB', 'a hub on Workers'],
      ),
    )
    .action((flags: Flags) =>
      flags.sqlFiles === undefined
        ? migrate(session, flags)
        : files(session, flags.sqlFiles, flags.firstNumber),
    )
}

async function migrate(session: Session, { dryRun = false }: Flags): Promise<void> {
  const { chooseTarget } = await import('../target/choose.ts')
  const chosen = chooseTarget(session, session.options)
  if (chosen.kind === 'hub') {
    throw usageError('a hub migrates its own database when it starts', {
      accepted: '--db, for a database of yours',
    })
  }
  const { install } = await import('@rowlock/core')
  const { hubSchemas } = await import('../../schema.ts')
  const { openNamed } = await import('../target/database.ts')
  const { sayWhere } = await import('../target/open.ts')
  sayWhere(session, chosen.place)
  const database = await openNamed(chosen.db, chosen.place)
  try {
    const { applied, statements } = await install(database.driver, { modules: hubSchemas, dryRun })
    if (session.options.json === true) return void printJson(session, { dryRun, applied, statements })
    if (dryRun) for (const statement of statements) printLine(session, `${statement};\n`)
    else for (const { module, number, name } of applied) printLine(session, `${module} ${number}: ${name}`)
    printNote(session, verdict(applied.length, dryRun))
  } finally {
    await database.close()
  }
}

function verdict(count: number, dryRun: boolean): string {
  if (count === 0) return 'the tables are up to date'
  return `${count} migration${count === 1 ? '' : 's'} ${dryRun ? 'would be applied' : 'applied'}`
}

async function files(session: Session, folder: string, first: string): Promise<void> {
  const { mkdir, writeFile } = await import('node:fs/promises')
  const { join } = await import('node:path')
  const { toSqlFiles } = await import('@rowlock/core')
  const { hubSchemas } = await import('../../schema.ts')
  await mkdir(folder, { recursive: true })
  const written = toSqlFiles('sqlite', { modules: hubSchemas, firstNumber: wholeNumber(first) })
  for (const { name, text } of written) {
    await writeFile(join(folder, name), text)
    if (session.options.json === true) printJson(session, { file: join(folder, name) })
    else printLine(session, join(folder, name))
  }
  printNote(session, `${written.length} files; they may be applied more than once`)
}

function wholeNumber(given: string): number {
  if (/^\d{1,4}$/.test(given)) return Number(given)
  throw new InvalidInputError(
    '--first-number',
    `is ${JSON.stringify(given)}`,
    'a whole number from 0 to 9999',
  )
}
