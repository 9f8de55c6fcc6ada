import type { Readable, Writable } from 'node:stream'
import type { Api } from './target/api.ts'
import { openTarget } from './target/open.ts'

/** A stream that may be a terminal. */
export type Screen = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** What a command has of the process around it. */
export interface World {
  /** The command line behind the program's name. */
  readonly words: readonly string[]
  readonly out: Screen
  readonly err: Screen
  readonly in: Readable & { readonly isTTY?: boolean }
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The clock, ms. */
  now(): number
}

/** Options that every command takes. */
export interface GlobalOptions {
  readonly db?: string
  readonly url?: string
  readonly token?: string
  readonly config?: string
  readonly json?: boolean
  readonly debug?: boolean
  readonly color?: boolean
}

/** One run of the command line. */
export interface Session extends World {
  /** The options as they were given; filled before a command runs. */
  readonly options: GlobalOptions
  /** What the process ends with when nothing is thrown. */
  exitCode: number
  /** The database or the hub that the options name, opened, and (unless `quietly`) said on standard error. */
  open(quietly?: boolean): Promise<Api>
  /** Closes what was opened. */
  close(): Promise<void>
}

export function createSession(world: World, options: () => GlobalOptions): Session {
  let opened: Api | undefined
  return {
    ...world,
    get options() {
      return options()
    },
    exitCode: 0,
    async open(quietly = false) {
      opened = await openTarget(this, quietly)
      return opened
    },
    async close() {
      await opened?.close()
      opened = undefined
    },
  }
}
