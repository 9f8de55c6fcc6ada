import { type Argument, type Command, Help } from 'commander'
import { exitMeanings } from './exit.ts'
import { type Paint, paintFor } from './output/paint.ts'
import type { World } from './session.ts'

/** Words in capitals in place of brackets, colours on a terminal, what is asked for most first. */
export function helpStyle(world: World): Partial<Help> {
  const paint = paintOfHelp(world)
  return {
    showGlobalOptions: true,
    commandUsage: (command) =>
      `${path(command)} ${command.usage().replace('[options]', '[OPTIONS]').replace(/[<>]/g, '')}`,
    subcommandTerm: (command) => (command.parent?.parent === null ? command.name() : terms(command)),
    optionDescription: ({ description, defaultValue }) =>
      defaultValue === undefined ? description : `${description} (${defaultValue})`,
    optionTerm: ({ flags }) => flags.replace(/[<>]/g, ''),
    visibleGlobalOptions: (command) =>
      Help.prototype.visibleGlobalOptions
        .call({ showGlobalOptions: true, sortOptions: false }, command)
        .filter(({ long }) => long !== '--version'),
    formatHelp: (command, help) => commandsFirst(Help.prototype.formatHelp.call(help, command, help)),
    styleTitle: (text) => paint('bold', text.replace('Global Options:', 'Options of every command:')),
    styleCommandText: (text) => paint('cyan', text),
    styleSubcommandText: (text) => paint('cyan', text),
    styleOptionText: (text) => paint('cyan', text),
    styleArgumentText: (text) => paint('cyan', text),
  }
}

/** A command with what it takes: `resolve ISSUE...`. */
function terms(command: Command): string {
  const names = command.registeredArguments.map((argument) => nameOf(argument))
  return [command.name(), ...names].join(' ')
}

function nameOf(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '')
  return argument.required ? name : `[${name}]`
}

/** A command's words: `rowlock issues list`. */
function path(command: Command): string {
  return command.parent === null ? command.name() : `${path(command.parent)} ${command.name()}`
}

/** Whoever asks for help looks for a command first. */
function commandsFirst(help: string): string {
  const sections = help.trimEnd().split('\n\n')
  const isOptions = (section: string) => /^[^\n]*Options/.test(section)
  return `${[...sections.filter((one) => !isOptions(one)), ...sections.filter(isOptions)].join('\n\n')}\n`
}

/** The end of the first help: what the exit codes mean. */
export function afterHelp(world: World): string {
  const paint = paintOfHelp(world)
  const widest = Math.max(...exitMeanings.map(([code]) => code.length))
  const codes = exitMeanings.map(([code, meaning]) => `  ${paint('cyan', code.padEnd(widest))}  ${meaning}`)
  return [
    paint('bold', 'Exit codes:'),
    ...codes,
    '',
    'rowlock COMMAND --help tells more, with examples.',
  ].join('\n')
}

/** Help is printed before the options have been read. */
function paintOfHelp({ out, environment, words }: World): Paint {
  const wanted = words.includes('--no-color') ? false : words.includes('--color') ? true : undefined
  return paintFor(out, environment, wanted)
}
