import { InvalidInputError } from '@rowlock/core'
import { type HubConfig, type OptionName, optionNames, options } from './options.ts'

/** Where settings may stand, the strongest first: flags, environment, file. */
export interface Sources {
  /** By flag name without dashes: `{ port: '8080', 'trust-proxy': true }`. Others' flags are left alone. */
  readonly flags?: Readonly<Record<string, unknown>>
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** A JSON object whose keys are the property names of HubConfig; `path` is named in messages. */
  readonly file?: { readonly path: string; readonly text: string }
}

export interface Configuration {
  readonly config: HubConfig
  /** Where each value came from: `--port`, `PORT`, the file's path, or `default`. */
  readonly origins: Readonly<Record<OptionName, string>>
}

interface Found {
  readonly origin: string
  readonly field: string
  readonly given: unknown
}

/**
 * Puts the settings together and checks each.
 * @throws InvalidInputError naming the flag, variable or key, what was wrong, and what is accepted.
 */
export function readConfig(sources: Sources = {}): Configuration {
  const file = parseFile(sources.file)
  const config: Record<string, unknown> = {}
  const origins: Record<string, string> = {}
  for (const name of optionNames) {
    const found = find(name, sources, file)
    config[name] = found === undefined ? options[name].fallback : options[name].read(found.field, found.given)
    origins[name] = found?.origin ?? 'default'
  }
  return { config: config as unknown as HubConfig, origins: origins as Record<OptionName, string> }
}

function find(
  name: OptionName,
  sources: Sources,
  file: Readonly<Record<string, unknown>>,
): Found | undefined {
  const { flag, environment } = options[name]
  const fromFlag = sources.flags?.[flag]
  if (fromFlag !== undefined) return { origin: `--${flag}`, field: `--${flag}`, given: fromFlag }
  for (const variable of environment) {
    const given = sources.environment?.[variable]
    if (given !== undefined && given !== '') return { origin: variable, field: variable, given }
  }
  if (!Object.hasOwn(file, name)) return undefined
  const path = sources.file?.path ?? ''
  return { origin: path, field: `${path}: ${name}`, given: file[name] }
}

function parseFile(file: Sources['file']): Readonly<Record<string, unknown>> {
  if (file === undefined) return {}
  const parsed = parse(file)
  const unknown = Object.keys(parsed).find((key) => !Object.hasOwn(options, key))
  if (unknown === undefined) return parsed
  throw new InvalidInputError(
    `${file.path}: ${JSON.stringify(unknown)}`,
    'is not a setting',
    optionNames.join(', '),
  )
}

function parse(file: { path: string; text: string }): Readonly<Record<string, unknown>> {
  let parsed: unknown
  try {
    parsed = JSON.parse(file.text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new InvalidInputError(file.path, `is not JSON (${(error as Error).message})`, 'a JSON object')
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
    return parsed as Readonly<Record<string, unknown>>
  }
  throw new InvalidInputError(file.path, 'is not a JSON object', 'a JSON object such as { "port": 7766 }')
}
