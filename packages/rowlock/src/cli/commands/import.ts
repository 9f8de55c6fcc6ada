import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { ImportResult } from '../../fleet/import/imports.ts'
import { exits } from '../exit.ts'
import { CommandError } from '../failure.ts'
import { printJson, printLine, printNote } from '../output/print.ts'
import { figure } from '../output/times.ts'
import type { Session } from '../session.ts'
import { examples, prose } from './help-text.ts'

interface Flags {
  readonly project?: string
  readonly encoding?: string
  readonly dryRun?: boolean
}

export function defineImport(command: Command, session: Session): void {
  command
    .argument('<FILE>', 'a CSV file, or the JSON of a Healthchecks project; - is standard input')
    .description(
      prose(
        `Makes devices, or changes those that are there: of a CSV file (UTF-8 or Shift_JIS, with a header of id, name, description,
slug, period, schedule, timezone, grace, tags, parent, must_appear_within), or of what GET /api/v3/checks/ of Healthchecks
answers, whose checks keep their addresses. What is wrong with a row is told with its line, and then nothing is written.`,
      ),
    )
    .option('--project <NAME>', 'where they belong, by name or number')
    .option('--encoding <NAME>', 'utf-8 or shift_jis, where it cannot be told by looking')
    .option('--dry-run', 'say what would be made and changed, and write nothing')
    .addHelpText(
      'after',
      examples(
        ['rowlock import devices.csv --dry-run', 'what it would do'],
        ['curl -H "X-Api-Key: $KEY" https://healthchecks.io/api/v3/checks/ | rowlock import -', 'a move'],
      ),
    )
    .action((file: string, flags: Flags) => importFrom(session, file, flags))
}

async function importFrom(session: Session, file: string, flags: Flags): Promise<void> {
  const body = await contentOf(session, file)
  const api = await session.open()
  const query = {
    project: flags.project,
    encoding: flags.encoding,
    dryRun: flags.dryRun === true ? '1' : undefined,
  }
  // No type: whether it is CSV or JSON is told by its first character.
  const result = await api.ask<ImportResult>('POST', '/api/import', {
    query,
    body,
    type: 'application/octet-stream',
  })
  if (session.options.json === true) printJson(session, result)
  else report(session, result)
  if (result.errorCount > 0) session.exitCode = exits.failed
}

function report(session: Session, result: ImportResult): void {
  const { created, changed, unchanged, paused, dryRun, errors, errorCount, notes } = result
  for (const { row, column, message } of [...errors, ...notes]) {
    printNote(session, `row ${row}${column === null ? '' : `, ${column}`}: ${message}`)
  }
  if (errorCount > 0) {
    printLine(
      session,
      `${figure(errorCount)} ${errorCount === 1 ? 'mistake' : 'mistakes'}: nothing was written.`,
    )
    return
  }
  const [made, was] = dryRun ? ['would be made', 'would be changed'] : ['made', 'changed']
  const rest = paused > 0 ? `, ${figure(paused)} of them paused` : ''
  printLine(
    session,
    `${figure(created)} devices ${made}, ${figure(changed)} ${was}, ${figure(unchanged)} as they were${rest}.`,
  )
}

async function contentOf(session: Session, file: string): Promise<Uint8Array> {
  if (file === '-') {
    const chunks: Buffer[] = []
    for await (const chunk of session.in) chunks.push(Buffer.from(chunk as Uint8Array))
    return Buffer.concat(chunks)
  }
  try {
    return await readFile(file)
  } catch (cause) {
    throw new CommandError('NOT_FOUND', `${file} cannot be read: ${(cause as Error).message}`, {
      exitCode: exits.missing,
      accepted: 'a file, or - for standard input',
      cause,
    })
  }
}
