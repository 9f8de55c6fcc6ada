import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Database } from './database.ts'

export interface FirstTokenOptions {
  readonly database: Pick<Database, 'kind' | 'location'>
  /** Whether a person reads what is printed. */
  readonly isTerminal: boolean
  print(line: string): void
}

/** Hands over a new hub's admin token: on a terminal it is printed, else it goes to a file that only its owner may read. */
export async function handOverFirstToken(secret: string, options: FirstTokenOptions): Promise<void> {
  const { database, isTerminal, print } = options
  if (isTerminal) {
    print(`The admin token, shown this once: ${secret}`)
    return
  }
  const path = tokenPath(database)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // A file that is there already keeps its mode when it is written to.
  await rm(path, { force: true })
  await writeFile(path, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  print(`The admin token is in ${path}. Read it, then delete the file.`)
}

/** Beside the database's file; for other databases in ./data. */
export function tokenPath({ kind, location }: FirstTokenOptions['database']): string {
  const folder = kind === 'sqlite' && location !== ':memory:' ? dirname(location) : 'data'
  return resolve(join(folder, 'admin-token'))
}
