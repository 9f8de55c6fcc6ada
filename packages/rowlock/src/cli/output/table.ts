import type { Paint, Style } from './paint.ts'
import { printable, truncate, widthOf } from './width.ts'

/** One column of a table. */
export interface Column<Row> {
  readonly title: string
  value(row: Row): string | number | null
  /** Numbers stand at the right. */
  readonly right?: boolean
  /** Takes what the terminal has left, and is cut there. One column at most. */
  readonly rest?: boolean
  /** Its widest, in columns, on a terminal. */
  readonly most?: number
  style?(row: Row): Style | undefined
}

const GAP = '  '
const LEAST_REST = 20

/**
 * Lines of an aligned table. `columns` is the terminal's width; without one nothing is cut, so that
 * what goes into a file or a pipe is whole.
 */
export function table<Row>(
  rows: readonly Row[],
  shape: readonly Column<Row>[],
  { columns, paint }: { columns: number | undefined; paint: Paint },
): string[] {
  const cells = rows.map((row) => shape.map((column) => printable(String(column.value(row) ?? '-'))))
  const widths = shape.map(({ title }, at) =>
    cells.reduce((widest, line) => Math.max(widest, widthOf(line[at]!)), widthOf(title)),
  )
  fit(widths, shape, columns)
  const line = (texts: readonly string[], style: (at: number) => Style | undefined) =>
    shape
      .map((column, at) => {
        const text = truncate(texts[at]!, widths[at]!)
        const styled = style(at)
        const painted = styled === undefined ? text : paint(styled, text)
        return pad(painted, text, widths[at]!, column.right === true, at === shape.length - 1)
      })
      .join(GAP)
  return [
    line(
      shape.map(({ title }) => title),
      () => 'dim',
    ),
    ...rows.map((row, at) => line(cells[at]!, (column) => shape[column]!.style?.(row))),
  ]
}

function fit(widths: number[], shape: readonly Column<never>[], columns: number | undefined): void {
  if (columns === undefined) return
  for (const [at, { most }] of shape.entries()) widths[at] = Math.min(widths[at]!, most ?? widths[at]!)
  const rest = shape.findIndex((column) => column.rest === true)
  if (rest === -1) return
  const taken = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length)
  widths[rest] = Math.max(LEAST_REST, Math.min(widths[rest]!, widths[rest]! + columns - taken))
}

function pad(painted: string, text: string, width: number, right: boolean, last: boolean): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)))
  if (right) return space + painted
  return last ? painted : painted + space
}
