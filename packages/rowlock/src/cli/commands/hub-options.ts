import type { Command } from 'commander'
import { type OptionName, optionNames, options } from '../../config/index.ts'

/** The database is an option of every command. */
const hubOnly = optionNames.filter((name) => name !== 'db')

/** Adds a flag for each of the hub's settings; their values are read and checked with the configuration. */
export function withHubOptions(command: Command): Command {
  for (const name of hubOnly) {
    const { flag, environment, fallback, about } = options[name]
    const sources =
      fallback === null || fallback === false
        ? environment.join(', ')
        : `${environment.join(', ')}; ${written(name, fallback)}`
    command.option(fallback === false ? `--${flag}` : `--${flag} <VALUE>`, `${about} (${sources})`)
  }
  return command
}

/** The flags as the configuration wants them: by their names on the command line. */
export function hubFlags(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(hubOnly.map((name) => [options[name].flag, given[name]]))
}

/** A setting's value as one would write it: lengths of time with their unit. */
export function written(name: OptionName, value: unknown): string {
  return typeof value === 'number' && isLength(name) ? lengthText(value) : String(value ?? '-')
}

/** Whether a setting takes "1s" for a second: no other kind does. */
function isLength(name: OptionName): boolean {
  try {
    return options[name].read(name, '1s') === 1000
  } catch {
    return false
  }
}

function lengthText(ms: number): string {
  const [size, unit] = UNITS.find(([length]) => ms % length === 0) ?? [1, 'ms']
  return `${ms / size}${unit}`
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
] as const
