import { ConflictError, type RowlockError, UnavailableError } from '../errors.ts'
import type { Row } from '../port/driver.ts'
import { integer } from '../port/row.ts'
import { type Context, isMissingColumn, type Shape } from './context.ts'
import type { AcquireOutcome, Lost, NotRun, Unknown } from './types.ts'
import type { Seen } from './view.ts'

/** An outcome, and for how long it held when it was judged. */
export interface Answer {
  readonly outcome: AcquireOutcome
  readonly leftMs: number
}

/** What an answer is made from, besides the row. */
export interface OneCall {
  readonly key: string
  readonly slots: { readonly ttl: number; readonly holder: string; readonly fingerprint: string | null }
  readonly comparesPayload: boolean
}

/**
 * The win that a row of `acquire` stands for. Null when its window was over by the time the
 * statement ended: it had waited for somebody, and is no win.
 *
 * `there`: whether the row was there before, for tables whose token does not tell.
 */
export function won(shape: Shape, row: Row, call: OneCall, there?: boolean): Answer | null {
  const { columns } = shape.table
  const judgedAt = integer(row, 'judged_at')
  const { ttl, holder } = call.slots
  const claimedAt = columns.claimedAt === null ? judgedAt : integer(row, 'claimed_at')
  const expiresAt = columns.expiresAt === null ? claimedAt + ttl : integer(row, 'expires_at')
  if (expiresAt < judgedAt) return null
  const token = columns.claimedAt === null ? null : columns.token === null ? claimedAt : integer(row, 'token')
  const again = there ?? (columns.token !== null && token !== claimedAt)
  return {
    outcome: { won: true, key: call.key, token, holder, expiresAt, from: again ? 'again' : 'first' },
    leftMs: expiresAt - judgedAt,
  }
}

/** What a row that was looked at says to this caller. Null: nothing, the key is free. */
export function judged(row: Seen, call: OneCall): Answer | null {
  if (row.state === 'free') return null
  const { token, holder, expiresAt } = row
  if (row.state !== 'held' || holder !== call.slots.holder || expiresAt === null) return lost(row, call)
  // Our own claim, whose answer was lost on the way. Nothing is written again.
  const from = token === row.claimedAt ? 'first' : 'again'
  return {
    outcome: { won: true, key: call.key, token, holder, expiresAt, from },
    leftMs: expiresAt - row.judgedAt,
  }
}

/** The loss that a held row stands for. Without a row: the key changed hands faster than one could look. */
export function lost(row: Seen | null, call: OneCall): Answer & { readonly outcome: Lost } {
  if (row === null) {
    return {
      outcome: { won: false, reason: 'held', expiresAt: null, retryAfterMs: 1, token: null, holder: null },
      leftMs: 0,
    }
  }
  const { expiresAt, token, holder } = row
  const leftMs = expiresAt === null ? call.slots.ttl : expiresAt - row.judgedAt
  const common = { won: false, expiresAt, retryAfterMs: Math.max(1, leftMs + 1), token, holder } as const
  if (call.comparesPayload && row.fingerprint !== call.slots.fingerprint) {
    return { outcome: { ...common, reason: 'mismatch' }, leftMs }
  }
  if (row.state !== 'done') return { outcome: { ...common, reason: 'held' }, leftMs }
  return { outcome: { ...common, reason: 'done', result: parsed(row.result) }, leftMs }
}

/** Why the work was not done here. */
export function notRun(outcome: Lost | Unknown): NotRun {
  const { won: _, ...why } = outcome
  return { ran: false, ...why }
}

/** The third answer, where the error is one that gives it; any other error is thrown on. */
export function unknown(context: Context, error: unknown): Unknown {
  const asked =
    error instanceof UnavailableError || (context.whenColumnMissing === 'unknown' && isMissingColumn(error))
  if (!asked) throw error
  return { won: false, reason: 'unknown', cause: error as RowlockError }
}

/** The result that `complete` stored. */
export function parsed(result: string | null): unknown {
  return result === null ? null : (JSON.parse(result) as unknown)
}

/** The `…OrThrow` twins: the outcome if its `flag` is true, otherwise an error that says why not. */
export function orThrow<Flag extends string, Outcome extends Readonly<Record<Flag, boolean>>>(
  outcome: Outcome,
  flag: Flag,
  key: string,
): Extract<Outcome, Readonly<Record<Flag, true>>> {
  if (outcome[flag]) return outcome as Extract<Outcome, Readonly<Record<Flag, true>>>
  const { cause, ...details } = outcome as unknown as { reason: string; cause?: RowlockError }
  if (details.reason === 'unknown') throw cause
  throw new ConflictError(`${key}: ${details.reason}`, { key, ...details })
}
