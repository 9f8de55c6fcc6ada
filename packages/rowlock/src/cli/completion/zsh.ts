import { type CommandNode, flatten, type OptionNode } from './tree.ts'

/** A script for zsh, as a file named _rowlock on fpath. */
export function zsh(tree: CommandNode): string {
  return `#compdef rowlock
# rowlock completion for zsh: rowlock completion zsh > ~/.zfunc/_rowlock
${flatten(tree)
  .map((node) => functionOf(node, tree.options))
  .join('\n')}
if [ "$funcstack[1]" = "_rowlock" ]; then _rowlock "$@"; else compdef _rowlock rowlock; fi
`
}

function functionOf(node: CommandNode, global: readonly OptionNode[]): string {
  const name = functionName(node.path)
  const own = node.path === '' ? global : [...node.options, ...global]
  const options = own
    .filter(({ flag }, at) => own.findIndex((other) => other.flag === flag) === at)
    .map(argument)
  if (node.commands.length === 0)
    return `${name}() {\n  _arguments -s ${[...options, ...positional(node)].join(' \\\n    ')}\n}`
  const children = node.commands.map(({ name: child, about }) => quoted(`${child}:${about}`))
  const cases = node.commands.map(({ name: child, path }) => `      ${child}) ${functionName(path)} ;;`)
  return `${name}() {
  local context state line
  local -a commands=(${children.join(' ')})
  _arguments -s -C ${options.join(' \\\n    ')} \\
    '1: :->command' '*:: :->rest'
  case $state in
    command) _describe command commands ;;
    rest) case $line[1] in
${cases.join('\n')}
    esac ;;
  esac
}`
}

function argument({ flag, about, takesValue, words, takesFiles }: OptionNode): string {
  const label = `[${about.replace(/[[\]:]/g, '\\$&')}]`
  if (!takesValue) return quoted(`${flag}${label}`)
  const reply = words.length > 0 ? `(${words.join(' ')})` : takesFiles ? '_files' : ' '
  return quoted(`${flag}=${label}:value:${reply}`)
}

function positional({ words, takesFiles }: CommandNode): readonly string[] {
  if (words.length > 0) return [quoted(`1:value:(${words.join(' ')})`)]
  return takesFiles ? [quoted('*:file:_files')] : []
}

function functionName(path: string): string {
  return path === '' ? '_rowlock' : `_rowlock_${path.replaceAll(/[ -]/g, '_')}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
