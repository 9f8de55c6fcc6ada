import { withoutPassword } from '../../config/index.ts'
import { usageError } from '../failure.ts'
import type { GlobalOptions, World } from '../session.ts'
import { readSettings } from '../settings.ts'
import type { Place } from './api.ts'

/** What the options and the environment name, not opened yet. */
export type Chosen =
  | {
      readonly kind: 'hub'
      readonly place: Place
      readonly base: string
      readonly secret: string | undefined
    }
  | { readonly kind: 'database'; readonly place: Place; readonly db: string }

/**
 * A flag goes before the environment, and a hub before a database: ROWLOCK_URL is meant for these
 * commands, DATABASE_URL may be there for another program.
 * @throws CommandError when both --url and --db are given, InvalidInputError for a bad address.
 */
export function chooseTarget(world: Pick<World, 'environment'>, globals: GlobalOptions): Chosen {
  const { environment } = world
  if (globals.url !== undefined && globals.db !== undefined) {
    throw usageError('--url and --db name two different places', { accepted: 'one of them' })
  }
  const url = globals.url ?? (globals.db === undefined ? filled(environment.ROWLOCK_URL) : undefined)
  if (url !== undefined) {
    const origin = globals.url === undefined ? 'ROWLOCK_URL' : '--url'
    const base = hubAddress(url, origin)
    const secret = globals.token ?? filled(environment.ROWLOCK_TOKEN)
    return { kind: 'hub', base, secret, place: { kind: 'hub', name: base, origin } }
  }
  return chooseDatabase(world, globals)
}

/** For commands that only a database can answer. */
export function chooseDatabase(
  world: Pick<World, 'environment'>,
  globals: GlobalOptions,
): Extract<Chosen, { kind: 'database' }> {
  const { config, origins } = readSettings(world, globals)
  const place: Place = { kind: 'database', name: withoutPassword(config.db), origin: origins.db }
  return { kind: 'database', db: config.db, place }
}

function hubAddress(given: string, origin: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw usageError(`${origin} is ${JSON.stringify(given)}`, {
      accepted: 'a hub’s address, such as http://127.0.0.1:7766',
    })
  }
  return url.origin + url.pathname.replace(/\/+$/, '')
}

function filled(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value
}
