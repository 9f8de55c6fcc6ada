import { existsSync, readFileSync } from 'node:fs'
import { type Configuration, readConfig } from '../config/index.ts'
import type { GlobalOptions, World } from './session.ts'

const DEFAULT_FILE = 'rowlock.json'

/**
 * The settings in force: flags, then the environment, then the file named by --config or
 * ROWLOCK_CONFIG, or else ./rowlock.json where there is one.
 * @throws InvalidInputError naming the setting; the file system's error for a file that was named.
 */
export function readSettings(
  { environment }: Pick<World, 'environment'>,
  globals: GlobalOptions,
  flags: Readonly<Record<string, unknown>> = {},
): Configuration {
  const path =
    globals.config ?? environment.ROWLOCK_CONFIG ?? (existsSync(DEFAULT_FILE) ? DEFAULT_FILE : undefined)
  return readConfig({
    flags: { ...(globals.db === undefined ? {} : { db: globals.db }), ...flags },
    environment,
    ...(path === undefined ? {} : { file: { path, text: readFileSync(path, 'utf8') } }),
  })
}
