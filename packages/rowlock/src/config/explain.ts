import { optionNames, options } from './options.ts'
import type { Configuration } from './read.ts'

/** One line of `rowlock config`. */
export interface Explained {
  readonly name: string
  /** As it is in force; the password of a database's address is left out. */
  readonly value: string | number | boolean | null
  /** Where it came from: a flag, a variable, the file's path, or `default`. */
  readonly origin: string
  readonly about: string
}

/** The settings in force and where each came from, fit for printing. */
export function explainConfig({ config, origins }: Configuration): readonly Explained[] {
  return optionNames.map((name) => ({
    name,
    value: name === 'db' ? withoutPassword(config.db) : config[name],
    origin: origins[name],
    about: options[name].about,
  }))
}

/** A database's address without its password, for logs and messages. */
export function withoutPassword(db: string): string {
  if (!URL.canParse(db)) return db
  const url = new URL(db)
  if (url.password !== '') url.password = '***'
  if (url.searchParams.has('password')) url.searchParams.set('password', '***')
  return url.toString()
}
