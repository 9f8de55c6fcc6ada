import { InvalidInputError } from '../errors.ts'
import { postgres as postgresDialect } from '../port/dialect.ts'
import type { Driver } from '../port/driver.ts'
import { type Duration, describe, duration } from '../port/input.ts'
import { type D1Database, d1 } from './d1.ts'
import { type DrizzlePostgres, ownError, postgresSession } from './drizzle-session.ts'
import { type Host, hosted } from './hosted.ts'
import { insideTransaction } from './inside.ts'
import { type PostgresPool, postgres } from './postgres.ts'
import type { Session } from './session.ts'
import { type SqliteDatabase, sqlite } from './sqlite.ts'

export type { DrizzlePostgres, DrizzleText } from './drizzle-session.ts'

/** A Drizzle database or transaction. */
export type DrizzleDatabase = DrizzlePostgres | DrizzleOverClient

/** One that tells its client, which is used as it is. */
export interface DrizzleOverClient {
  readonly $client: object
}

export interface DrizzleOptions {
  /** How long a call that met a lock, a deadlock or a serialization failure is tried again. Default "10s". */
  readonly waitAtMost?: Duration
}

const ACCEPTED =
  'a database of drizzle-orm/node-postgres (over a Pool), postgres-js, better-sqlite3 or d1, or a transaction of node-postgres or postgres-js'

type Open = (db: DrizzleDatabase, options: DrizzleOptions) => Driver

/** By the name that Drizzle gives to the class. The first that the object is one of counts. */
const KINDS: Readonly<Record<string, Open>> = {
  // Where the client is one that Rowlock knows, it is used as it is: its batches are better than
  // what could be had through Drizzle.
  NodePgDatabase: (db, options) => postgres(poolOf(db), options),
  BetterSQLite3Database: (db, options) => sqlite(clientOf(db) as SqliteDatabase, options),
  D1Database: (db) => d1(clientOf(db) as D1Database),
  PostgresJsDatabase: (db, { waitAtMost }) => overPostgres(db as DrizzlePostgres, waitAtMost),
  PgTransaction: (db) =>
    insideTransaction(postgresDialect, postgresSession(db as DrizzlePostgres), connectionOf(db)),
  BetterSQLiteTransaction: () => {
    throw new InvalidInputError(
      'db',
      'is a transaction of better-sqlite3, which is over before an answer can be waited for',
      "drizzle(db), between db.run('begin immediate') and db.run('commit')",
    )
  },
}

/**
 * A driver over a Drizzle database. With node-postgres, better-sqlite3 and D1 it uses the client
 * below (`db.$client`) as the driver of that client does, so Drizzle's logger does not see its statements;
 * with the others it goes through Drizzle, a batch being one of Drizzle's transactions.
 *
 * Given a Drizzle transaction, every call is part of that transaction, under a savepoint, and undoes
 * only itself when it fails.
 *
 * @throws InvalidInputError for a database that it does not know, and for a transaction that cannot
 * wait: those of better-sqlite3 are over when their function returns.
 */
export function drizzle(db: DrizzleDatabase, options: DrizzleOptions = {}): Driver {
  const given = '$primary' in Object(db) ? (db as unknown as { $primary: DrizzleDatabase }).$primary : db
  const kinds = kindsOf(given)
  const kind = kinds.find((name) => Object.hasOwn(KINDS, name))
  if (kind === undefined) throw new InvalidInputError('db', `is ${kinds[0] ?? describe(db)}`, ACCEPTED)
  return KINDS[kind]!(given, options)
}

function overPostgres(db: DrizzlePostgres, waitAtMost: Duration = '10s'): Driver {
  const begin: Begin = (work) =>
    db.transaction((tx) => work(postgresSession(tx)), { isolationLevel: 'read committed' })
  const host = { dialect: postgresDialect, any: postgresSession(db), transact: unwrapped(begin) }
  return hosted(host, duration('waitAtMost', waitAtMost))
}

type Begin = <T>(work: (session: Session) => Promise<T>) => PromiseLike<T>

/** A transaction whose BEGIN and COMMIT fail with the client's own errors. */
function unwrapped(begin: Begin): NonNullable<Host['transact']> {
  return async (work) => {
    try {
      return await begin(work)
    } catch (cause) {
      throw ownError(cause)
    }
  }
}

/** Drizzle writes the name of each of its classes under a symbol that all copies of it share. */
const ENTITY_KIND = Symbol.for('drizzle:entityKind')

/** What the object is, the closest first. */
function kindsOf(db: object): string[] {
  const kinds: string[] = []
  for (let at = db; Object(at) === at; at = Object.getPrototypeOf(at)) {
    const kind: unknown = (at.constructor as { [ENTITY_KIND]?: unknown } | undefined)?.[ENTITY_KIND]
    if (typeof kind === 'string' && !kinds.includes(kind)) kinds.push(kind)
  }
  return kinds
}

function clientOf(db: object): unknown {
  const client = (db as { $client?: unknown }).$client
  if (Object(client) === client) return client
  throw new InvalidInputError('db', 'does not tell its client', '$client, which Drizzle has since 0.35')
}

function poolOf(db: object): PostgresPool {
  const client = clientOf(db) as object
  if ('connect' in client && !('processID' in client)) return client as PostgresPool
  throw new InvalidInputError('db', 'stands on a single connection', 'one over a Pool, or a transaction')
}

/** Transactions inside one another have one connection. */
function connectionOf(db: object): object {
  return (db as { _?: { session?: object } })._?.session ?? db
}
