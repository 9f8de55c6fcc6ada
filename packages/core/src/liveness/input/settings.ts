import { InvalidInputError } from '../../errors.ts'
import { describe, duration, instantOrNull, plainText, wholeNumber } from '../../port/input.ts'
import { DEFAULT_PREFIX } from '../../port/schema.ts'
import { isSql, type Sql } from '../../port/sql.ts'
import type { Thresholds } from '../classify.ts'
import type { LivenessOptions } from '../options.ts'

/** The options of a liveness module, read and with their defaults. Lengths of time in ms. */
export interface Settings {
  readonly prefix: string
  readonly scope: string
  readonly everyMs: number
  readonly downAfterMs: number
  readonly lateAfterMs: number | null
  readonly episodeWindowMs: number
  readonly flapping: { readonly changes: number; readonly withinMs: number }
  readonly mass: Thresholds['mass']
  readonly repairEvery: number
  readonly batch: number
  readonly targets: readonly string[] | Sql
  /** The instant of a call: the one given, else the `clock` option's, else null for the database's. */
  now(given: number | undefined): number | null
}

const PREFIX = /^[a-z_][a-z0-9_]{0,31}$/
export const LONGEST_ID = 200
const MOST = 1_000_000

/** @throws InvalidInputError for an option outside its bounds. */
export function settings(options: LivenessOptions): Settings {
  const { prefix = DEFAULT_PREFIX, scope = '', clock, lateAfter } = options
  const { flapping = {}, mass = {} } = options
  if (!PREFIX.test(prefix)) {
    throw new InvalidInputError(
      'prefix',
      `is ${describe(prefix)}`,
      '1 to 32 lower-case letters, digits and underscores, not beginning with a digit',
    )
  }
  return {
    prefix,
    scope: scope === '' ? '' : plainText('scope', scope, LONGEST_ID),
    everyMs: duration('every', options.every ?? '1m'),
    downAfterMs: duration('downAfter', options.downAfter ?? '5m'),
    lateAfterMs: lateAfter === undefined ? null : duration('lateAfter', lateAfter),
    episodeWindowMs: duration('episodeWindow', options.episodeWindow ?? '10m'),
    flapping: {
      changes: wholeNumber('flapping.changes', flapping.changes ?? 6, 1, MOST),
      withinMs: duration('flapping.within', flapping.within ?? '1h'),
    },
    mass: {
      share: readShare(mass.share ?? 0.5),
      least: wholeNumber('mass.least', mass.least ?? 5, 1, 1_000 * MOST),
      holdTicks: wholeNumber('mass.holdTicks', mass.holdTicks ?? 2, 0, MOST),
    },
    repairEvery: wholeNumber('repairEvery', options.repairEvery ?? 10, 1, MOST),
    batch: wholeNumber('batch', options.batch ?? 1000, 1, 1000),
    targets: readTargets(options.announceTo ?? []),
    now: (given) => instantOrNull('now', given ?? clock?.()),
  }
}

function readShare(given: number): number {
  if (typeof given === 'number' && given > 0 && given <= 1) return given
  throw new InvalidInputError('mass.share', `is ${describe(given)}`, 'a number above 0, up to 1')
}

function readTargets(given: readonly string[] | Sql): readonly string[] | Sql {
  if (isSql(given)) return given
  if (!Array.isArray(given))
    throw new InvalidInputError('announceTo', `is ${describe(given)}`, 'a list of destinations, or sql`...`')
  return [...new Set(given.map((each, index) => plainText(`announceTo[${index}]`, each, LONGEST_ID)))]
}
