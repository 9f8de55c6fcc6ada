import type { Statement } from '../../port/driver.ts'
import { duration, plainText } from '../../port/input.ts'
import { isSql, type Sql, sql, template } from '../../port/sql.ts'
import type {
  AcquireManyOptions,
  AcquireOptions,
  CallOptions,
  ClaimExistingOptions,
  CompleteOptions,
  ManyInput,
  RenewOptions,
} from '../call-options.ts'
import { type Context, needsColumns, nowSlot, ttlMs } from '../context.ts'
import { checkCall } from '../input/call.ts'
import { resultJson } from '../input/canonical.ts'
import { checkMany } from '../input/many.ts'
import { checkRef } from '../input/ref.ts'
import type { ClaimRef } from '../types.ts'
import { manyRows } from './acquire-many.ts'
import { claimExisting } from './claim-existing.ts'

/** A holder must be known beforehand: without the verb around it, nobody else tells whose the rows are. */
type Held<Options> = Omit<Options, 'also'> & { readonly holder: string }

/**
 * The module's statements as values, for a batch of the caller's own. They check their input like the
 * verbs do, and throw InvalidInputError. Each gives back the rows that were written, with `key`,
 * `claimed_at`, `expires_at`, `token`, `holder` and `judged_at`, the clock that judged (`release` only
 * `key`); a row whose `expires_at` is less than that was won too late. Put `expect: 1` on those that must succeed.
 */
export interface ClaimCalls {
  acquire(key: string, options: Held<AcquireOptions>): Statement
  acquireMany(keys: readonly ManyInput[], options: Held<AcquireManyOptions>): Statement
  /**
   * Claims rows that are there already, of those that are free and meet a condition. Refreshes none of the
   * columns named in `onWin`.
   */
  claimExisting(options: ClaimExistingOptions): Statement
  renew(claim: ClaimRef, options?: Omit<RenewOptions, 'also'>): Statement
  complete(claim: ClaimRef, result?: unknown, options?: Omit<CompleteOptions, 'also'>): Statement
  release(claim: ClaimRef, options?: CallOptions): Statement
  /** A check that one row comes back, true only while the claim is held; it carries `expect: 1`. */
  guard(claim: ClaimRef, options?: CallOptions): Statement
  /** The key's row as it stands, with `state`, `result` and `fingerprint`. */
  look(key: string, options?: CallOptions): Statement
}

export function claimCalls(context: Context): ClaimCalls {
  const { table, statements } = context.shapes[0]
  const { dialect } = context.driver
  return {
    acquire: (key, options) => statements.acquire().with(checkCall(context, key, options).slots),
    acquireMany(keys, options) {
      const call = checkMany(context, keys, options)
      return statements.acquireMany().with({ ...call.slots, rows: manyRows(table, [...call.rows.values()]) })
    },
    claimExisting(options) {
      const keys = isSql(options.keys) ? options.keys : chosen(options.keys)
      const slots = {
        holder: plainText('holder', options.holder, 200),
        ttl: ttlMs(context, options.ttl),
        now: nowSlot(context, options.now),
      }
      const text = claimExisting(dialect, table, keys, options.where)
      return template(dialect, 'claims.claimExisting', text).with(slots)
    },
    renew: (claim, options = {}) =>
      statements
        .renew()
        .with({ ...checkRef(context, 'renew', claim, options), ttl: ttlMs(context, options.ttl) }),
    complete: (claim, result, options = {}) =>
      statements.complete().with({
        ...checkRef(context, 'complete', claim, options, ['expiresAt', 'token', 'state', 'result']),
        result: resultJson(result),
        keepFor: options.keepFor === undefined ? null : duration('keepFor', options.keepFor),
      }),
    release: (claim, options = {}) =>
      statements.release().with({ ...checkRef(context, 'release', claim, options) }),
    guard: (claim, options = {}) =>
      statements.guard().with({ ...checkRef(context, 'guard', claim, options) }, 1),
    look(key, options = {}) {
      needsColumns(context, 'statements.look', ['expiresAt'])
      return statements.look().with({ key: context.keys.store(key), now: nowSlot(context, options.now) })
    },
  }

  function chosen(keys: readonly string[]): Sql {
    const stored = JSON.stringify(keys.map((key) => context.keys.store(key)))
    return sql`select value from ${dialect.texts(sql`${stored}`)} as chosen`
  }
}
