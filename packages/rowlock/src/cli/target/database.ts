import { hostname, userInfo } from 'node:os'
import { install, RowlockError } from '@rowlock/core'
import { type Database, openDatabase } from '../../database.ts'
import { nodeMail } from '../../deliveries/mail-node.ts'
import { nodeSend } from '../../deliveries/send-node.ts'
import { createApp } from '../../http/app.ts'
import { createHub, type Hub } from '../../hub.ts'
import type { Identity } from '../../identity/scopes.ts'
import { newToken } from '../../identity/secrets.ts'
import { hubSchemas } from '../../schema.ts'
import { exits } from '../exit.ts'
import { CommandError } from '../failure.ts'
import type { Session } from '../session.ts'
import { readSettings } from '../settings.ts'
import { type Api, createApi, type Place } from './api.ts'

/**
 * A hub inside this process, without a port: what a command may ask of a hub it may ask of a database
 * in the same words. Whoever can open the database may do everything, so the one caller is an admin.
 */
export async function openDatabaseApi(
  session: Session,
  { db, place }: { db: string; place: Place },
): Promise<Api> {
  const database = await openMigrated(db, place)
  try {
    const { config } = readSettings(session, session.options)
    const hub = createHub({
      driver: database.driver,
      config,
      // What it is asked to try it sends as a hub does.
      send: nodeSend({ allowPrivate: config.allowPrivateDestinations }),
      mail: nodeMail({ allowPrivate: config.allowPrivateDestinations }),
      later: setImmediate,
      onProblem: tell(session),
    })
    await hub.projects.first('default', config.window)
    const secret = newToken()
    const app = createApp({ hub: withLocalAdmin(hub, secret), driver: database.driver, config })
    return createApi({
      place,
      base: 'http://rowlock.invalid',
      secret,
      fetch: async (request) => await app.fetch(request),
      async close() {
        await hub.events.drain()
        await database.close()
      },
    })
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Opens a database and brings its tables up to date. */
export async function openMigrated(db: string, place: Place): Promise<Database> {
  const database = await openNamed(db, place)
  try {
    await install(database.driver, { modules: hubSchemas })
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Opens a database for a command. @throws CommandError that says why it cannot be opened. */
export async function openNamed(db: string, { name, origin }: Place): Promise<Database> {
  try {
    return await openDatabase(db)
  } catch (cause) {
    if (cause instanceof RowlockError) throw cause
    const { message } = cause as Error
    throw new CommandError('UNAVAILABLE', `the database ${name} cannot be opened: ${message}`, {
      exitCode: exits.unavailable,
      accepted: 'a SQLite file (made where it is missing), or postgres://user@host/database',
      ...(origin === '--db' ? {} : { hint: `it was named by ${origin}; --db names another` }),
      cause,
    })
  }
}

function withLocalAdmin(hub: Hub, secret: string): Hub {
  const identity: Identity = { tokenId: 0, name: localName(), scopes: ['admin'], project: null }
  const { credentials } = hub
  const recall: typeof credentials.recall = (given) =>
    given === secret ? { kind: 'token', identity } : credentials.recall(given)
  return { ...hub, credentials: { ...credentials, recall } }
}

/** Who holds what this command claims: user and machine. */
function localName(): string {
  const user = process.env.USER ?? process.env.USERNAME ?? safely(() => userInfo().username) ?? 'somebody'
  return `${user}@${hostname()}`.slice(0, 100)
}

function safely<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** What a hub would write to its log. */
function tell({ options, err }: Session): (problem: string, cause?: unknown) => void {
  return (problem, cause) => {
    if (options.debug === true)
      err.write(`${problem}: ${cause instanceof Error ? (cause.stack ?? cause.message) : cause}\n`)
  }
}
