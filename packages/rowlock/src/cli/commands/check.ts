import type { Command } from 'commander'
import type { ProjectCheck } from '../../fleet/types.ts'
import type { OverHttp } from '../output/http.ts'
import { printJson, printLine } from '../output/print.ts'
import { elapsed, figure } from '../output/times.ts'
import type { Session } from '../session.ts'
import { examples, prose } from './help-text.ts'

type Shown = OverHttp<ProjectCheck>

export function defineCheck(command: Command, session: Session): void {
  command
    .description(
      prose(
        `Looks once for devices and jobs that fell silent, and for those that came back. A hub that runs does so every minute by
itself; this is for cron, on a database without one. Any number of checks may run at once.

What was found (newlyDown, recovered) and what was written (opened, closed, alertsQueued) are told apart: of two checks at
the same instant one opens the outage. It never fails because something is down; see rowlock devices --state down.`,
      ),
    )
    .option('--project <NAME>', 'only this project, by name or number')
    .addHelpText(
      'after',
      examples(
        'rowlock check',
        ['* * * * * rowlock check --db /var/lib/rowlock.db', 'from cron'],
        ['rowlock check --json | jq .opened', 'a document for each project'],
      ),
    )
    .action((flags: { project?: string }) => check(session, flags.project))
}

async function check(session: Session, project: string | undefined): Promise<void> {
  const api = await session.open()
  const { checks } = await api.ask<{ checks: readonly Shown[] }>('POST', '/api/check', {
    query: { project },
  })
  if (session.options.json === true) {
    for (const one of checks) printJson(session, one)
    return
  }
  if (checks.length === 0) printLine(session, 'There are no devices to check.')
  for (const one of checks) {
    const where = checks.length > 1 ? `Project ${one.project}: ` : ''
    printLine(session, where + sentence(one))
  }
}

/** The summary in words. */
export function sentence(check: Shown): string {
  const { opened, closed, alertsQueued, raced, suppressed, repaired, overdueRuns, verdict } = check
  const parts = [
    `${count(opened, 'outage')} opened, ${figure(closed)} ended, ${count(alertsQueued, 'alert')} queued`,
    ...(suppressed > 0 ? [`${figure(suppressed)} without an alert`] : []),
    ...(raced > 0 ? [`${figure(raced)} left to somebody who was faster`] : []),
    ...(overdueRuns > 0 ? [`${count(overdueRuns, 'run')} did not end in time`] : []),
    ...(repaired > 0 ? [`${figure(repaired)} brought in line`] : []),
  ]
  const verdicts = {
    normal: '',
    catchUp:
      ' Nobody had checked for a while: what happened meanwhile is not known, and nobody is taken for silent yet.',
    massSuspect: ' Many fell silent at once: they are held back for two checks and told as one.',
  } as const
  return `${parts.join(', ')}, in ${elapsed(check.durationMs)}.${verdicts[verdict]}`
}

function count(number: number, thing: string): string {
  return `${figure(number)} ${thing}${number === 1 ? '' : 's'}`
}
