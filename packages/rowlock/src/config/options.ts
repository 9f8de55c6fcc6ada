import { database, flag, length, publicAddress, type Reader, text, wholeNumber } from './values.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const YEAR_MS = 366 * DAY_MS

/** One setting: how it is named where, what it may be, and what it is for. */
export interface Option<T> {
  /** Its flag, without the dashes, and its key in the file is the property name below. */
  readonly flag: string
  /** Environment variables, the first one that is set counts. */
  readonly environment: readonly string[]
  readonly fallback: T
  readonly read: Reader<T>
  /** One line for `--help` and the documentation. */
  readonly about: string
}

function option<T>(
  flag: string,
  environment: readonly string[],
  fallback: T,
  read: Reader<T>,
  about: string,
): Option<T> {
  return { flag, environment, fallback, read, about }
}

/** Every setting of the hub. The type of the configuration, the help and the checks all follow from this. */
export const options = {
  port: option(
    'port',
    ['PORT', 'ROWLOCK_PORT'],
    7766,
    wholeNumber(0, 65_535),
    'port to listen on; 0 takes any free one',
  ),
  host: option(
    'host',
    ['ROWLOCK_HOST'],
    '127.0.0.1',
    text,
    'address to listen on; 0.0.0.0 is reachable from outside',
  ),
  db: option(
    'db',
    ['DATABASE_URL'],
    './data/rowlock.db',
    database,
    'SQLite file, or postgres://user@host/database',
  ),
  publicUrl: option(
    'public-url',
    ['ROWLOCK_PUBLIC_URL'],
    null as string | null,
    publicAddress,
    'address that people and senders use; default: that of the request',
  ),
  trustProxy: option(
    'trust-proxy',
    ['ROWLOCK_TRUST_PROXY'],
    false,
    flag,
    'take the client address and scheme from the X-Forwarded headers of one reverse proxy',
  ),
  allowPrivateDestinations: option(
    'allow-private-destinations',
    ['ROWLOCK_ALLOW_PRIVATE_DESTINATIONS'],
    false,
    flag,
    'deliver to private and link-local addresses too',
  ),
  window: option(
    'window',
    ['ROWLOCK_WINDOW'],
    60 * MINUTE_MS,
    length(YEAR_MS),
    'cool-down of new projects: one win per issue in this time',
  ),
  maxBody: option(
    'max-body',
    ['ROWLOCK_MAX_BODY'],
    1_048_576,
    wholeNumber(1024, 104_857_600),
    'largest request body in bytes',
  ),
  maxQueue: option(
    'max-queue',
    ['ROWLOCK_MAX_QUEUE'],
    10_000,
    wholeNumber(1, 1_000_000),
    'events that may wait for the database before senders get 429',
  ),
  keepRejected: option(
    'keep-rejected',
    ['ROWLOCK_KEEP_REJECTED'],
    7 * DAY_MS,
    length(10 * YEAR_MS),
    'how long events that could not be stored are kept',
  ),
  keepHours: option(
    'keep-hours',
    ['ROWLOCK_KEEP_HOURS'],
    90 * DAY_MS,
    length(10 * YEAR_MS),
    'how long hourly counts are kept',
  ),
  keepDeliveries: option(
    'keep-deliveries',
    ['ROWLOCK_KEEP_DELIVERIES'],
    30 * DAY_MS,
    length(10 * YEAR_MS),
    'how long finished deliveries are kept',
  ),
  checkEvery: option(
    'check-every',
    ['ROWLOCK_CHECK_EVERY'],
    MINUTE_MS,
    length(DAY_MS),
    'how often devices that fell silent are looked for',
  ),
  keepPings: option(
    'keep-pings',
    ['ROWLOCK_KEEP_PINGS'],
    30 * DAY_MS,
    length(10 * YEAR_MS),
    'how long pings and their bodies are kept, at most 100 of a device',
  ),
  keepDowntimes: option(
    'keep-downtimes',
    ['ROWLOCK_KEEP_DOWNTIMES'],
    2 * YEAR_MS,
    length(10 * YEAR_MS),
    'how long outages that are over are kept',
  ),
  keepChecks: option(
    'keep-checks',
    ['ROWLOCK_KEEP_CHECKS'],
    30 * DAY_MS,
    length(10 * YEAR_MS),
    'how long the records of checks are kept',
  ),
}

export type OptionName = keyof typeof options

/** The hub's settings, checked; lengths of time in ms, sizes in bytes. */
export type HubConfig = { readonly [Name in OptionName]: (typeof options)[Name]['fallback'] }

export const optionNames = Object.keys(options) as readonly OptionName[]
