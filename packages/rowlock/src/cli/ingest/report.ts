import { outPaint, printJson, printLine, printNote } from '../output/print.ts'
import { bytes, elapsed, figure } from '../output/times.ts'
import { printable } from '../output/width.ts'
import type { Session } from '../session.ts'
import type { Figures, Tally } from './tally.ts'

/** What the work took. */
export interface Effort {
  readonly bytes: number
  readonly tookMs: number
  /** The hub would not have them: asking again changes nothing. */
  readonly refused: boolean
}

/** The exact figures at the end; with --json one document. */
export function reportFigures(session: Session, tally: Tally, effort: Effort): void {
  const { figures, rejections } = tally
  if (session.options.json === true) {
    printJson(session, { ...figures, bytes: effort.bytes, tookMs: Math.round(effort.tookMs), rejections })
    return
  }
  for (const { place, reason } of rejections) printNote(session, `${place}: ${printable(reason)}`)
  const more = figures.rejected - rejections.length
  if (more > 0) printNote(session, `… and ${figure(more)} more that were rejected`)
  const rows = rowsOf(figures, effort)
  const widest = Math.max(...rows.map(([, value]) => figure(value).length))
  const paint = outPaint(session)
  for (const [name, value, remark] of rows) {
    const text = `${name.padEnd(10)}  ${figure(value).padStart(widest)}`
    printLine(session, remark === '' ? text : `${text}  ${paint('dim', remark)}`)
  }
}

const AGAIN = 'run it again: what was counted is not counted twice'

type FigureRow = readonly [name: string, value: number, remark: string]

function rowsOf(figures: Figures, effort: Effort): readonly FigureRow[] {
  const {
    lines,
    accepted,
    duplicates,
    rejected,
    skipped,
    unanswered,
    newIssues,
    knownIssues,
    won,
    wonUnknown,
  } = figures
  const rate = Math.round((accepted + duplicates) / Math.max(effort.tookMs / 1000, 0.001))
  const only = (name: string, value: number, remark: string): readonly FigureRow[] =>
    value === 0 ? [] : [[name, value, remark]]
  return [
    ['read', lines, readRemark(figures, effort)],
    ['accepted', accepted, `in ${elapsed(effort.tookMs)}, ${figure(rate)}/s`],
    ['duplicates', duplicates, duplicates === 0 ? '' : 'counted before; --again counts them again'],
    ['rejected', rejected, ''],
    ...only('skipped', skipped, 'below --min-level'),
    ...only('unanswered', unanswered, effort.refused ? 'refused, see below' : AGAIN),
    ['issues', newIssues + knownIssues, `${figure(newIssues)} new, ${figure(knownIssues)} known`],
    ['won', won, wonUnknown === 0 ? '' : `and up to ${figure(wonUnknown)} whose answer was lost`],
  ]
}

function readRemark({ joined, blank }: Figures, { bytes: size }: Effort): string {
  const notes = [`lines, ${bytes(size)}`]
  if (joined > 0) notes.push(`${figure(joined)} of them went on with an event`)
  if (blank > 0) notes.push(`${figure(blank)} blank`)
  return notes.join('; ')
}
