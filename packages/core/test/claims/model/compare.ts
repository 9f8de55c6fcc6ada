import { DatabaseSync } from 'node:sqlite'
import { type ClaimsOptions, createClaims } from '../../../src/claims/index.ts'
import { type ClaimsModel, claimsModel, type ModelRow } from '../../../src/claims/model.ts'
import { sqlite } from '../../../src/drivers/sqlite.ts'
import type { Driver } from '../../../src/port/driver.ts'
import { equal } from '../../../src/testing/assert.ts'
import type { Operation, Tokens } from './operations.ts'

export interface Comparison {
  /** Sequences that were run, each with all its beginnings. */
  readonly sequences: number
  /** The first sequence after which the SQL and the model differ. */
  readonly difference?: { readonly sequence: string; readonly error: unknown }
  /** How often each kind of answer came. */
  readonly seen: Readonly<Record<string, number>>
}

/**
 * Runs every sequence of up to `depth` operations on the SQL and on the model, and compares answers
 * and rows after each. A beginning is run once: what follows it is undone by a savepoint.
 */
export async function compare(given: {
  operations: readonly Operation[]
  depth: number
  options?: ClaimsOptions
  wrap?: (driver: Driver) => Driver
}): Promise<Comparison> {
  const { operations, depth, options = {}, wrap = (driver) => driver } = given
  const database = new DatabaseSync(':memory:')
  const claims = createClaims(wrap(sqlite(database)), options)
  await claims.install()
  const rows = database.prepare(
    'select key, claimed_at, expires_at, token, holder, state, result from rowlock_claims order by key',
  )
  const seen: Record<string, number> = {}
  let sequences = 0

  const step = async (operation: Operation, model: ClaimsModel, tokens: Tokens) => {
    const actual = await operation.onSql(claims, new Map(tokens))
    equal(actual, operation.onModel(model, tokens), 'the answers differ')
    equal(
      rows.all().map((row) => ({ ...row })),
      modelRows(model.rows),
      'the rows differ',
    )
    const kind = kindOf(actual)
    seen[kind] = (seen[kind] ?? 0) + 1
  }

  const walk = async (
    path: readonly string[],
    before: ClaimsModel['rows'],
    tokens: Tokens,
  ): Promise<Comparison | null> => {
    for (const operation of operations) {
      const sequence = [...path, operation.name]
      const model = claimsModel(before)
      const had = new Map(tokens)
      sequences += 1
      database.exec('savepoint step')
      try {
        await step(operation, model, had)
      } catch (error) {
        return { sequences, seen, difference: { sequence: sequence.join(' > '), error } }
      }
      const found = sequence.length < depth ? await walk(sequence, model.rows, had) : null
      database.exec('rollback to step; release step')
      if (found !== null) return found
    }
    return null
  }
  try {
    return (await walk([], new Map(), new Map())) ?? { sequences, seen }
  } finally {
    database.close()
  }
}

function modelRows(rows: ReadonlyMap<string, ModelRow>): unknown[] {
  return [...rows]
    .sort(([one], [two]) => (one < two ? -1 : 1))
    .map(([key, row]) => ({
      key,
      claimed_at: row.claimedAt,
      expires_at: row.expiresAt,
      token: row.token,
      holder: row.holder,
      state: row.state,
      result: row.result,
    }))
}

/** Enough of an answer to tell that every kind has come up. */
function kindOf(answer: unknown): string {
  const { won, from, reason } = Object(answer) as { won?: boolean; from?: string; reason?: string }
  if (won === undefined) return reason ?? 'other'
  return won ? `won ${from}` : `${reason}`
}
