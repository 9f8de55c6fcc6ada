import type { Paint, Style } from './paint.ts'
import { printable, truncate, truncateStart, widthOf } from './width.ts'

/** One column of a table. */
export interface Column<Row> {
  readonly title: string
  value(row: Row): string | number | null
  /** Numbers stand at the right. */
  readonly right?: boolean
  /** Takes what the terminal has left, and is cut there. One column at most. */
  readonly rest?: boolean
  /** Its widest, in columns, on a terminal; what is cut is its end, or with `keepEnd` its beginning. */
  readonly most?: number
  readonly keepEnd?: boolean
  /** Left out where the terminal is too narrow. */
  readonly optional?: boolean
  style?(row: Row): Style | undefined
}

const GAP = '  '
const LEAST_REST = 32

export interface TableOptions {
  /** The terminal's width; without one nothing is cut, so that what goes into a file or a pipe is whole. */
  readonly columns: number | undefined
  readonly paint: Paint
}

/** Lines of an aligned table, its titles first. */
export function table<Row>(
  rows: readonly Row[],
  shape: readonly Column<Row>[],
  { columns, paint }: TableOptions,
): string[] {
  const all = shape.map((column) => layOut(column, rows, columns !== undefined))
  const shown = columns === undefined ? all : fit(all, columns)
  const line = (text: (lane: Lane<Row>) => string, style: (lane: Lane<Row>) => Style | undefined) =>
    shown.map((lane, at) => cell(lane, text(lane), paint, style(lane), at === shown.length - 1)).join(GAP)
  return [
    line(
      ({ column }) => column.title,
      () => 'dim',
    ),
    ...rows.map((row, at) =>
      line(
        ({ cells }) => cells[at]!,
        ({ column }) => column.style?.(row),
      ),
    ),
  ]
}

/** A column with its cells, and how wide it may be. */
interface Lane<Row> {
  readonly column: Column<Row>
  readonly cells: readonly string[]
  readonly width: number
}

function layOut<Row>(column: Column<Row>, rows: readonly Row[], bounded: boolean): Lane<Row> {
  const cells = rows.map((row) => printable(String(column.value(row) ?? '-')))
  const natural = cells.reduce((widest, text) => Math.max(widest, widthOf(text)), widthOf(column.title))
  return { column, cells, width: bounded ? Math.min(natural, column.most ?? natural) : natural }
}

/** Leaves out optional columns, the last first, until the one that takes the rest has room; then cuts that one. */
function fit<Row>(lanes: readonly Lane<Row>[], columns: number): readonly Lane<Row>[] {
  const rest = lanes.find(({ column }) => column.rest === true)
  if (rest === undefined) return lanes
  const room = columns - lanes.reduce((sum, lane) => sum + (lane === rest ? 0 : lane.width + GAP.length), 0)
  const optional = lanes.findLast(({ column }) => column.optional === true)
  if (room < Math.min(rest.width, LEAST_REST) && optional !== undefined) {
    return fit(
      lanes.filter((lane) => lane !== optional),
      columns,
    )
  }
  return lanes.map((lane) =>
    lane === rest ? { ...lane, width: Math.max(1, Math.min(lane.width, room)) } : lane,
  )
}

function cell<Row>(
  { column, width }: Lane<Row>,
  whole: string,
  paint: Paint,
  style: Style | undefined,
  last: boolean,
): string {
  const text = column.keepEnd === true ? truncateStart(whole, width) : truncate(whole, width)
  const painted = style === undefined ? text : paint(style, text)
  const space = ' '.repeat(Math.max(0, width - widthOf(text)))
  if (column.right === true) return space + painted
  return last ? painted : painted + space
}
