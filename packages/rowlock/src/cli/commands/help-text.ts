/** The examples at the end of a command's help: a line each, or a line and what it is for. */
export function examples(...lines: readonly (string | readonly [line: string, purpose: string])[]): string {
  const shown = lines.map((line) =>
    typeof line === 'string' ? [`  ${line}`] : [`  # ${line[1]}`, `  ${line[0]}`],
  )
  return `\nExamples:\n${shown.flat().join('\n')}`
}

/** A description of several lines in the source: each paragraph is wrapped to the terminal's width. */
export function prose(text: string): string {
  return text.replace(/([^\n])\n(?!\n)/g, '$1 ')
}
