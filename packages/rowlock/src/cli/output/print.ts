import type { Failure } from '../failure.ts'
import type { Session } from '../session.ts'
import { type Paint, paintFor } from './paint.ts'
import { type Column, table } from './table.ts'
import { printable } from './width.ts'

/** One JSON document on one line. */
export function printJson(session: Session, value: unknown): void {
  session.out.write(`${JSON.stringify(value)}\n`)
}

export function printLine(session: Session, text = ''): void {
  session.out.write(`${text}\n`)
}

/** A note beside the answer, on standard error; none with --json. */
export function printNote(session: Session, text: string): void {
  if (session.options.json !== true) session.err.write(`${errPaint(session)('dim', text)}\n`)
}

export function outPaint({ out, environment, options }: Session): Paint {
  return paintFor(out, environment, options.color)
}

export function errPaint({ err, environment, options }: Session): Paint {
  return paintFor(err, environment, options.color)
}

/** A list: with --json one document a line, else a table, or a word that there is nothing. */
export function printList<Row>(
  session: Session,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  none: string,
): void {
  if (session.options.json === true) {
    for (const row of rows) printJson(session, row)
    return
  }
  if (rows.length === 0) {
    printNote(session, none)
    return
  }
  const width = session.out.isTTY === true ? session.out.columns : undefined
  for (const line of table(rows, columns, { columns: width, paint: outPaint(session) }))
    printLine(session, line)
}

/** One thing: with --json one document, else a name and a value on each line. */
export function printFields(
  session: Session,
  fields: readonly (readonly [name: string, value: string])[],
): void {
  const widest = fields.reduce((most, [name]) => Math.max(most, name.length), 0)
  const paint = outPaint(session)
  for (const [name, value] of fields)
    printLine(session, `${paint('dim', name.padEnd(widest))}  ${printable(value)}`)
}

/** An error on standard error: message, what is accepted, what to try. */
export function printFailure(session: Session, failure: Failure, error: unknown): void {
  const { message, accepted, hint } = failure
  if (session.options.json === true) {
    session.err.write(`${JSON.stringify({ error: failure })}\n`)
  } else {
    const paint = errPaint(session)
    const lines = [`${paint(['bold', 'red'], 'rowlock:')} ${message}`]
    if (accepted !== undefined) lines.push(`  ${paint('dim', 'accepted:')} ${accepted}`)
    if (hint !== undefined) lines.push(`  ${paint('dim', 'try:')} ${hint}`)
    session.err.write(`${lines.join('\n')}\n`)
  }
  if (session.options.debug === true) session.err.write(`${stackOf(error)}\n`)
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\ncaused by: ${stackOf(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}
