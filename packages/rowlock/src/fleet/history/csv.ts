/** CSV for spreadsheets and scripts, after RFC 4180. */

type Cell = string | number | null

/**
 * One line with its end. A text that a spreadsheet would take for a formula gets an apostrophe before it: names of
 * devices come from their senders.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const harmless = /^[\s\u200B\uFEFF]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20|%\t\r\n]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n;\t]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
