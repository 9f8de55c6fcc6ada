import type { Row } from '../port/driver.ts'
import { integer, integerOrNull, textOrNull } from '../port/row.ts'
import type { Context, Shape } from './context.ts'
import type { Suspicion } from './options.ts'

/** A row as the statements give it, with the clock that judged it. */
export interface Seen {
  /** As stored. */
  readonly key: string
  readonly state: 'free' | 'held' | 'done'
  readonly claimedAt: number | null
  readonly expiresAt: number | null
  readonly token: number | null
  readonly holder: string | null
  readonly result: string | null
  readonly fingerprint: string | null
  readonly judgedAt: number
}

/** Before this instant, in ms, lies the year 1973; in seconds, all of our time. */
const LEAST_LIKELY_MS = 100_000_000_000

/** Reads a row of `look` or `list`. `ttlMs` tells when a claim ends in a table that does not say. */
export function seen(context: Context, { table }: Shape, row: Row, ttlMs: number | null): Seen {
  const judgedAt = integer(row, 'judged_at')
  const key = String(row.key)
  const time = (column: 'claimed_at' | 'expires_at') => {
    const kind = suspect(context, row[column], column, judgedAt)
    const value = row[column] as number | string
    if (kind !== null) context.onSuspicion?.({ kind, table: table.name, key, column, value })
    return kind === 'text' ? Number.POSITIVE_INFINITY : integerOrNull(row, column)
  }
  const claimedAt = time('claimed_at')
  const { columns } = table
  const expiresAt =
    columns.expiresAt !== null
      ? time('expires_at')
      : claimedAt === null || ttlMs === null
        ? null
        : claimedAt + ttlMs
  const token = columns.token === null ? claimedAt : integerOrNull(row, 'token')
  const untimed = columns.claimedAt === null
  const live = untimed || isLive({ claimedAt, expiresAt }, judgedAt, table.reclaimAheadMs)
  const state = !live ? 'free' : row.state === 'done' ? 'done' : 'held'
  return {
    key,
    state,
    claimedAt: known(claimedAt),
    expiresAt: known(expiresAt),
    token: known(token),
    holder: textOrNull(row, 'holder'),
    result: textOrNull(row, 'result'),
    fingerprint: textOrNull(row, 'fingerprint'),
    judgedAt,
  }
}

/** Whether the row is held: the exact complement of the statements' `free`, edge included. */
export function isLive(
  row: { readonly claimedAt: number | null; readonly expiresAt: number | null },
  now: number,
  reclaimAheadMs: number | null,
): boolean {
  if (row.claimedAt === null || row.expiresAt === null || row.expiresAt < now) return false
  return reclaimAheadMs === null || row.claimedAt <= now + reclaimAheadMs
}

/** Text sorts above every number on SQLite: such a time is for ever ahead. */
function known(value: number | null): number | null {
  return value === Number.POSITIVE_INFINITY ? null : value
}

function suspect(
  context: Context,
  value: unknown,
  column: string,
  judgedAt: number,
): Suspicion['kind'] | null {
  if (typeof value === 'string') return 'text'
  if (typeof value !== 'number') return null
  if (value > 0 && value < LEAST_LIKELY_MS && judgedAt >= LEAST_LIKELY_MS) return 'seconds'
  return column === 'claimed_at' && value > judgedAt + context.futureToleranceMs ? 'future' : null
}
