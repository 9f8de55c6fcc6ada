import { type CommandNode, flatten, type OptionNode } from './tree.ts'

/** A script for fish. */
export function fish(tree: CommandNode): string {
  const lines = flatten(tree).flatMap((node) => [
    ...commandLines(node),
    ...optionLines(node),
    ...wordLines(node),
  ])
  return `# rowlock completion for fish: rowlock completion fish > ~/.config/fish/completions/rowlock.fish
complete -c rowlock -f
${lines.join('\n')}
`
}

function commandLines({ path, commands }: CommandNode): string[] {
  const names = commands.map(({ name }) => name).join(' ')
  const condition =
    path === '' ? '__fish_use_subcommand' : `${seen(path)}; and not __fish_seen_subcommand_from ${names}`
  return commands.map(
    ({ name, about }) => `complete -c rowlock -n ${quoted(condition)} -a ${name} -d ${quoted(about)}`,
  )
}

function optionLines({ path, options }: CommandNode): string[] {
  const condition = path === '' ? '' : ` -n ${quoted(seen(path))}`
  return options.map((option) => `complete -c rowlock${condition} ${described(option)}`)
}

function wordLines({ path, words, takesFiles }: CommandNode): string[] {
  const condition = `complete -c rowlock -n ${quoted(seen(path))}`
  if (takesFiles) return [`${condition} -F`]
  return words.length > 0 ? [`${condition} -a ${quoted(words.join(' '))}`] : []
}

function described({ flag, about, takesValue, words, takesFiles }: OptionNode): string {
  const value = !takesValue
    ? ''
    : words.length > 0
      ? ` -x -a ${quoted(words.join(' '))}`
      : takesFiles
        ? ' -r -F'
        : ' -x'
  return `-l ${flag.replace(/^--/, '')}${value} -d ${quoted(about)}`
}

/** Every word of the path has been typed. */
function seen(path: string): string {
  return path
    .split(' ')
    .map((word) => `__fish_seen_subcommand_from ${word}`)
    .join('; and ')
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
