import type { Command } from 'commander'
import { optionNames, options } from '../../config/index.ts'

/** The database is an option of every command. */
const hubOnly = optionNames.filter((name) => name !== 'db')

/** Adds a flag for each of the hub's settings; their values are read and checked with the configuration. */
export function withHubOptions(command: Command): Command {
  for (const name of hubOnly) {
    const { flag, environment, fallback, about } = options[name]
    const sources =
      fallback === null || fallback === false
        ? environment.join(', ')
        : `${environment.join(', ')}; ${shown(fallback)}`
    command.option(fallback === false ? `--${flag}` : `--${flag} <VALUE>`, `${about} (${sources})`)
  }
  return command
}

/** The flags as the configuration wants them: by their names on the command line. */
export function hubFlags(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(hubOnly.map((name) => [options[name].flag, given[name]]))
}

const DAY_MS = 86_400_000

function shown(fallback: string | number | true): string {
  if (typeof fallback !== 'number' || fallback < 3_600_000) return String(fallback)
  return fallback % DAY_MS === 0 ? `${fallback / DAY_MS}d` : `${fallback / 3_600_000}h`
}
