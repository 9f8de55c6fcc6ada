import type { Command, Option } from 'commander'

/** What a shell has to know of one command. */
export interface CommandNode {
  /** Its words behind `rowlock`, such as `issues list`; empty for the program itself. */
  readonly path: string
  readonly name: string
  readonly about: string
  readonly options: readonly OptionNode[]
  readonly commands: readonly CommandNode[]
  /** What its arguments may be: some words, or files. */
  readonly words: readonly string[]
  readonly takesFiles: boolean
}

export interface OptionNode {
  readonly flag: string
  readonly about: string
  readonly takesValue: boolean
  readonly words: readonly string[]
  readonly takesFiles: boolean
}

/** Reads the command line's own description of itself. */
export function readTree(program: Command): CommandNode {
  return node(program, '')
}

function node(command: Command, path: string): CommandNode {
  const children = command.commands.map((child) =>
    node(child, path === '' ? child.name() : `${path} ${child.name()}`),
  )
  const [argument] = command.registeredArguments
  return {
    path,
    name: command.name(),
    about: firstSentence(command.summary() || command.description()),
    options: [...command.options.map(option), { ...HELP }],
    commands: children,
    words: argument?.argChoices ?? [],
    takesFiles: /FILE/.test(argument?.name() ?? ''),
  }
}

const HELP: OptionNode = {
  flag: '--help',
  about: 'print help',
  takesValue: false,
  words: [],
  takesFiles: false,
}

function option({ long, flags, description, argChoices, required, optional }: Option): OptionNode {
  return {
    flag: long ?? flags,
    about: description,
    takesValue: required || optional,
    words: argChoices ?? [],
    takesFiles: /FILE|FOLDER/.test(flags),
  }
}

/** Every command, the program first. */
export function flatten(root: CommandNode): readonly CommandNode[] {
  return [root, ...root.commands.flatMap(flatten)]
}

function firstSentence(text: string): string {
  return text.split(/[.:] /)[0]!.replace(/\.$/, '')
}
