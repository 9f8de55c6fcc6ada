import { exits } from './exit.ts'
import { failureOf, usageError } from './failure.ts'
import { printFailure } from './output/print.ts'
import { createProgram, exitOfParser } from './program.ts'
import type { World } from './session.ts'

/** Runs one command line. @returns the exit code. */
export async function runCommandLine(world: World): Promise<number> {
  const { words } = world
  const { program, session } = createProgram(world)
  try {
    if (words.length === 0) {
      program.outputHelp()
      return exits.usage
    }
    await program.parseAsync(helpAsFlag(words), { from: 'user' })
    return session.exitCode
  } catch (thrown) {
    const ended = exitOfParser(thrown)
    if (ended !== undefined && ended.message === undefined) return ended.exitCode
    const error = ended === undefined ? thrown : parserError(ended.message ?? '', words)
    const failure = failureOf(error)
    printFailure(session, failure, error)
    return failure.exitCode
  } finally {
    await session.close()
  }
}

/** `rowlock help run` is `rowlock run --help`: a command's options are known when it is called. */
function helpAsFlag(words: readonly string[]): string[] {
  return words[0] === 'help' && words.length > 1 ? [...words.slice(1), '--help'] : [...words]
}

/** Commander's message may hold a suggestion on a line of its own. */
function parserError(message: string, words: readonly string[]): unknown {
  const [problem = '', suggestion] = message.split('\n')
  const command = words.find((word) => !word.startsWith('-'))
  const help =
    command === undefined || problem.startsWith('unknown command')
      ? 'rowlock --help'
      : `rowlock ${command} --help`
  const found = /\(Did you mean (.*)\?\)/.exec(suggestion ?? '')?.[1]
  return usageError(problem, {
    hint: found === undefined ? help : `${found} (did you mean that?), or ${help}`,
  })
}
