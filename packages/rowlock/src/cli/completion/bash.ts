import { type CommandNode, flatten, type OptionNode } from './tree.ts'

/** A script for bash 3.2 and later; it starts no process while one types. */
export function bash(tree: CommandNode): string {
  const nodes = flatten(tree)
  const global = tree.options
  return `# rowlock completion for bash: source <(rowlock completion bash)
_rowlock() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} path= word skip= at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if [[ -n $skip ]]; then skip=; continue; fi
    case "$word" in
      --) COMPREPLY=($(compgen -o default -- "$current")); return ;;
      ${valueFlags(nodes)}) skip=1 ;;
      -*) ;;
      *) case "$path $word" in
        ${nodes
          .filter(({ path }) => path !== '')
          .map(step)
          .join('\n        ')}
      esac ;;
    esac
  done
  case "$path:$previous" in
    ${nodes.flatMap((node) => values(node, global)).join('\n    ')}
  esac
  local words=
  case "$path" in
    ${nodes.map((node) => line(node, global)).join('\n    ')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _rowlock rowlock
`
}

/** From the words so far to one more: ` issues` and then `issues list`. */
function step({ path }: CommandNode): string {
  const parts = path.split(' ')
  return `${quoted(`${parts.slice(0, -1).join(' ')} ${parts.at(-1)}`)}) path=${quoted(path)} ;;`
}

function values(node: CommandNode, global: readonly OptionNode[]): string[] {
  const own = node.path === '' ? global : node.options
  return own
    .filter(({ takesValue }) => takesValue)
    .map(({ flag, words, takesFiles }) => {
      const pattern = node.path === '' ? `*:${flag}` : `${quoted(node.path)}:${flag}`
      const reply = words.length > 0 ? `-W ${quoted(words.join(' '))}` : takesFiles ? '-f' : '-W ""'
      return `${pattern}) COMPREPLY=($(compgen ${reply} -- "$current")); return ;;`
    })
}

function line(node: CommandNode, global: readonly OptionNode[]): string {
  const { path, options, commands, words, takesFiles } = node
  const flags = [...new Set([...options, ...global].map(({ flag }) => flag))]
  const offered = [...commands.map(({ name }) => name), ...words, ...flags].join(' ')
  const files = takesFiles
    ? '; [[ $current != -* ]] && { COMPREPLY=($(compgen -f -- "$current")); return; }'
    : ''
  return `${quoted(path)}) words=${quoted(offered)}${files} ;;`
}

function valueFlags(nodes: readonly CommandNode[]): string {
  const flags = nodes.flatMap(({ options }) => options).filter(({ takesValue }) => takesValue)
  return [...new Set(flags.map(({ flag }) => flag))].join('|')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
