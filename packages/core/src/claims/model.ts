import type {
  AcquireOutcome,
  ClaimPage,
  ClaimRef,
  ClaimView,
  CompleteOutcome,
  ReleaseOutcome,
  RenewOutcome,
  SweepOutcome,
} from './types.ts'

/**
 * The module over a Map: what every statement and verb must come to, without SQL, races and lost
 * answers. The tests compare the two, call by call and row by row.
 */
export interface ClaimsModel {
  /** Every row, by key. */
  readonly rows: ReadonlyMap<string, ModelRow>
  acquire(key: string, by: By): AcquireOutcome
  acquireMany(keys: readonly string[], by: By): AcquireOutcome[]
  renew(claim: ClaimRef, by: { readonly ttl: number; readonly now: number }): RenewOutcome
  complete(claim: ClaimRef, result: unknown, by: At & { readonly keepFor?: number }): CompleteOutcome
  release(claim: ClaimRef, by: At): ReleaseOutcome
  guard(claim: ClaimRef, by: At): boolean
  inspect(key: string, by: At): ClaimView | null
  list(by: At): ClaimPage
  sweep(by: At & { readonly olderThan: number }): SweepOutcome
}

export interface ModelRow {
  readonly claimedAt: number | null
  readonly expiresAt: number
  readonly token: number
  readonly holder: string
  readonly state: 'held' | 'done'
  /** JSON text. */
  readonly result: string | null
}

interface At {
  readonly now: number
}

interface By extends At {
  readonly ttl: number
  readonly holder: string
}

/** @param before the rows that are there to begin with; they are copied. */
export function claimsModel(before: ReadonlyMap<string, ModelRow> = new Map()): ClaimsModel {
  const rows = new Map(before)

  const acquire: ClaimsModel['acquire'] = (key, { ttl, holder, now }) => {
    const row = rows.get(key)
    if (row !== undefined && isLive(row, now)) return standing(key, row, holder, now)
    const token = row === undefined ? now : Math.max(row.token, now) + 1
    const expiresAt = now + ttl
    rows.set(key, { claimedAt: now, expiresAt, token, holder, state: 'held', result: null })
    return { won: true, key, token, holder, expiresAt, from: row === undefined ? 'first' : 'again' }
  }

  /** The row, while it is held under this very token. */
  const own = ({ key, token }: ClaimRef, now: number): ModelRow | undefined => {
    const row = rows.get(key)
    return row?.token === token && isLive(row, now) ? row : undefined
  }

  const inspect: ClaimsModel['inspect'] = (key, { now }) => {
    const row = rows.get(key)
    if (row === undefined) return null
    const { claimedAt, expiresAt, token, holder } = row
    const state = isLive(row, now) ? row.state : 'free'
    const result = row.result === null ? null : (JSON.parse(row.result) as unknown)
    return { scope: null, key, state, claimedAt, expiresAt, token, holder, result }
  }

  return {
    rows,
    acquire,
    acquireMany(keys, by) {
      const winners = new Set<string>()
      return keys.map((key) => {
        const outcome = acquire(key, by)
        if (!outcome.won) return outcome
        if (winners.has(key)) return lost(rows.get(key)!, by.now)
        winners.add(key)
        return outcome
      })
    },
    renew(claim, { ttl, now }) {
      const row = own(claim, now)
      if (row === undefined) return { renewed: false, reason: 'lost' }
      if (row.state === 'done') return { renewed: false, reason: 'done' }
      rows.set(claim.key, { ...row, expiresAt: now + ttl })
      return { renewed: true, expiresAt: now + ttl }
    },
    complete(claim, result, { keepFor, now }) {
      const row = own(claim, now)
      if (row === undefined) return { completed: false, reason: 'lost' }
      const expiresAt = keepFor === undefined ? row.expiresAt : now + keepFor
      const text = result === undefined ? null : JSON.stringify(result)
      rows.set(claim.key, { ...row, state: 'done', result: text, expiresAt })
      return { completed: true, expiresAt }
    },
    release(claim, { now }) {
      const row = rows.get(claim.key)
      if (row?.token !== claim.token) return { released: false, reason: 'lost' }
      // Freed before, by us: under this token nobody else could.
      if (row.claimedAt === null) return { released: true }
      if (row.state === 'done') return { released: false, reason: isLive(row, now) ? 'done' : 'lost' }
      rows.set(claim.key, { ...row, claimedAt: null })
      return { released: true }
    },
    guard: (claim, { now }) => own(claim, now)?.state === 'held',
    inspect,
    list: (by) => ({ claims: [...rows.keys()].sort().map((key) => inspect(key, by)!), next: null }),
    sweep({ olderThan, now }) {
      const before = now - olderThan
      const old = [...rows].filter(
        ([, row]) => (row.claimedAt === null || row.expiresAt < before) && row.token < before,
      )
      for (const [key] of old) rows.delete(key)
      return { removed: old.length, more: false }
    },
  }
}

/** Held to the last millisecond of its window, inclusive. */
function isLive(row: ModelRow, now: number): boolean {
  return row.claimedAt !== null && row.expiresAt >= now
}

/** What a held row says to a caller: somebody else's, or its own claim once more. */
function standing(key: string, row: ModelRow, holder: string, now: number): AcquireOutcome {
  if (row.holder !== holder || row.state !== 'held') return lost(row, now)
  const { token, expiresAt, claimedAt } = row
  return { won: true, key, token, holder, expiresAt, from: token === claimedAt ? 'first' : 'again' }
}

function lost({ expiresAt, token, holder, state, result }: ModelRow, now: number): AcquireOutcome {
  const common = { won: false, expiresAt, retryAfterMs: expiresAt - now + 1, token, holder } as const
  if (state !== 'done') return { ...common, reason: 'held' }
  return { ...common, reason: 'done', result: result === null ? null : (JSON.parse(result) as unknown) }
}
