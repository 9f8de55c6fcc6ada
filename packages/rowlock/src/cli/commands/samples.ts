import type { IssueDetails } from '../../events/issues.ts'
import type { OverHttp } from '../output/http.ts'
import { outPaint, printLine } from '../output/print.ts'
import { relative } from '../output/times.ts'
import { printable, truncate } from '../output/width.ts'
import type { Session } from '../session.ts'

type Samples = OverHttp<IssueDetails['samples']>

const MOST_LINES = 12

/** The first event of an issue and its latest, as they came; a stack is cut after some lines. */
export function printSamples(session: Session, samples: Samples): void {
  const paint = outPaint(session)
  const columns = session.out.isTTY === true ? (session.out.columns ?? 80) : Number.POSITIVE_INFINITY
  const first = samples.find(({ kind }) => kind === 'first')
  const latest = samples.filter(({ kind, id }) => kind === 'latest' && id !== first?.id).at(-1)
  for (const sample of [first, latest]) {
    if (sample === undefined) continue
    printLine(session)
    printLine(session, paint('bold', `${sample.kind} event, ${relative(sample.happenedAt, session.now())}`))
    const lines = JSON.stringify(sample.event, null, 2)
      .replaceAll('\\n', '\n    ')
      .replaceAll('\\t', '  ')
      .split('\n')
    for (const line of lines.slice(0, MOST_LINES)) printLine(session, truncate(indented(line), columns))
    if (lines.length > MOST_LINES) {
      printLine(session, paint('dim', `  … ${lines.length - MOST_LINES} more lines: --json shows all`))
    }
  }
}

function indented(line: string): string {
  const [space = ''] = /^\s*/.exec(line) ?? []
  return space + printable(line)
}
