import { existsSync } from 'node:fs'
import { errPaint } from '../output/print.ts'
import { relative } from '../output/times.ts'
import { printable } from '../output/width.ts'
import type { Session } from '../session.ts'
import { chooseTarget } from '../target/choose.ts'
import type { NotWon } from './claim.ts'

/** What went wrong is said always, also to cron. */
export function complain(session: Session, text: string): void {
  session.err.write(`${errPaint(session)(['bold', 'red'], 'rowlock:')} ${text}\n`)
}

/** With --json, what came of it: on standard error, since standard output is the command's own. */
export function report(session: Session, outcome: object): void {
  if (session.options.json === true) session.err.write(`${JSON.stringify(outcome)}\n`)
}

/** Why nothing is run here. */
export function whoHasIt(key: string, { reason, holder, expiresAt }: NotWon, now: number): string {
  const who = holder === null ? 'somebody' : printable(holder.replace(/\/[^/]*$/, ''))
  const until = expiresAt === null ? '' : `; the next may run ${relative(expiresAt, now)}`
  return reason === 'done'
    ? `${key} has been run by ${who} in this window${until}`
    : `${key} is being run by ${who}${until}`
}

/**
 * Nobody named a database, so each machine would use a file of its own and each would win. Said when
 * the file is about to be made, and not at every run after that.
 */
export function warnOfLocalFile(session: Session): void {
  const chosen = chooseTarget(session, session.options)
  if (chosen.kind !== 'database' || chosen.place.origin !== 'default' || existsSync(chosen.db)) return
  session.err.write(
    `rowlock: no database was named, so ${chosen.db} is made here. It decides on this machine only: on several ` +
      'machines each would run the command. Name one for all with --db postgres://… or --url.\n',
  )
}
