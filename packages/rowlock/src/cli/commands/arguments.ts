import { type Command, Option } from 'commander'
import { usageError } from '../failure.ts'

/** An option that takes one of a few words; help, completion and the check know them. */
export function choice(flags: string, about: string, words: readonly string[]): Option {
  const option = new Option(flags, `${about}: ${words.join(', ')}`)
  option.argChoices = [...words]
  return option.argParser((given: string) => {
    if (words.includes(given)) return given
    throw usageError(`${flags.split(' ')[0]} is ${JSON.stringify(given)}`, { accepted: words.join(', ') })
  })
}

/** Adds how much of a list is wanted. */
export function withLimit(command: Command): Command {
  return command.option('--limit <N>', 'at most so many (50)').option('--all', 'all of them')
}
